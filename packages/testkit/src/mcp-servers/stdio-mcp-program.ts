/*
 * A scripted MCP server as a process. Its one argument is JSON: see `StdioMcpProgram`.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createScriptedMcpServer } from "./create-scripted-mcp-server.ts";
import type { StdioMcpProgram } from "./stdio-mcp-server.ts";

const { mode = "normal", trace: file, poisoned = false } = JSON.parse(process.argv[2] ?? "{}") as StdioMcpProgram;

function trace(line: string): void {
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}

trace("started");
switch (mode) {
  case "exits-at-start":
    console.error("no configuration found");
    process.exit(3);
    break;
  case "hangs-at-start":
    console.error("waiting for a database");
    setInterval(() => {}, 1000);
    break;
  case "stubborn":
    // with a child process; both ignore signals
    process.on("SIGTERM", () => trace("ignored SIGTERM"));
    spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: "ignore" });
    setInterval(() => {}, 1000);
    await serve();
    break;
  case "leaves-child":
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" }).unref();
    await serve();
    break;
  case "garbage":
    process.stdout.write("Welcome to the server!\n{broken\n\x1b[31m[]\n\n");
    setInterval(() => process.stdout.write('{"neither":"this"}\n'), 5).unref();
    await serve();
    break;
  case "only-garbage":
    setInterval(() => process.stdout.write("listening on port 3000\n"), 5);
    break;
  case "normal":
    await serve();
}

async function serve(): Promise<void> {
  await createScriptedMcpServer({ trace, poisoned, die: () => process.exit(7) }).connect(new StdioServerTransport());
}
