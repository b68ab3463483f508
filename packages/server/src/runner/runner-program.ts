/*
 * The runner: a small detached process that owns one agent's stdio and outlives the server. It imports nothing but
 * Node's own modules, so that it starts fast and an upgrade of the server does not pull files from under it.
 *
 * Order: claim, agent started, runner.json, "ready" to the server, … , exit.json, gone.
 */
import { spawn } from "node:child_process";
import { chmodSync, closeSync, createWriteStream, fsyncSync, openSync, unlinkSync, writeSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { type AgentExit, claimExecution, executionFolder, type RunnerIdentity, type RunnerOrder, writeWhole } from "./execution-folder.ts";
import { executionMarker, killExecutionProcesses, readBootId, readProcessStartTime, signalProcess } from "./process-tree.ts";
import { createLineSplitter, type FromRunner, type ToRunner } from "./runner-protocol.ts";

const stopGraceMs = 2500;
const drainAfterExitMs = 500;
const retryWriteMs = 500;

const order = await readOrder();
const folder = executionFolder(order.folder);
// a server gave this execution up before we got here: nothing may start any more
if (!claimExecution(folder, `runner ${process.pid}`)) process.exit(0);

for (const signal of ["SIGINT", "SIGHUP", "SIGPIPE"] as const) process.on(signal, () => {});

const log = openSync(folder.log, "a", 0o600);
const times = openSync(folder.times, "a", 0o600);
let logSize = 0;
const clients = new Set<Socket>();

const agent = spawn(order.program, [...order.args], {
  cwd: order.cwd,
  env: { ...order.environment, [executionMarker]: order.executionId },
  stdio: ["pipe", "pipe", "pipe"],
  detached: true,
});
const ended = new Promise<AgentExit>((resolve) => {
  agent.once("error", (error) => resolve({ exitCode: null, signal: null, endedAt: Date.now(), startError: error.message }));
  agent.once("exit", (exitCode, signal) => resolve({ exitCode, signal, endedAt: Date.now() }));
});
const drained = new Promise<void>((resolve) => agent.stdout.once("close", resolve));

agent.stdin.on("error", () => {}); // the agent closed its stdin or is gone; its exit tells
agent.stdin.write(order.stdin);
agent.stdout.on("data", (chunk: Buffer) => appendToLog(chunk));
agent.stderr.pipe(createWriteStream(folder.stderr, { flags: "a", mode: 0o600 }));

process.umask(0o177);
const socketServer = createServer(serveClient);
await new Promise<void>((resolve) => socketServer.listen(order.socket, resolve));
chmodSync(order.socket, 0o600);
writeWhole(folder.runner, {
  pid: process.pid,
  startTime: readProcessStartTime(process.pid),
  bootId: readBootId(),
  socket: order.socket,
} satisfies RunnerIdentity);
process.stdout.on("error", () => {}); // the server died before it could hear us
process.stdout.write("ready\n");

const exit = await ended;
// a grandchild may hold the pipe open for as long as it lives
await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, drainAfterExitMs))]);
await killExecutionProcesses({ executionId: order.executionId, agentPid: agent.pid });
await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, drainAfterExitMs))]);
agent.stdout.destroy();
fsyncSync(log);
closeSync(log);
closeSync(times);
writeWhole(folder.exit, exit);
for (const client of clients) send(client, { type: "exited" });
socketServer.close();
for (const client of clients) client.end();
try {
  unlinkSync(order.socket);
} catch {
  // already gone
}
setTimeout(() => process.exit(0), 1000).unref();

async function readOrder(): Promise<RunnerOrder> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) text += chunk;
  // cut short when the server died while it wrote: no claim, nothing runs
  return JSON.parse(text) as RunnerOrder;
}

function appendToLog(chunk: Buffer): void {
  const entry = Buffer.alloc(16);
  entry.writeBigUInt64LE(BigInt(logSize), 0);
  entry.writeDoubleLE(Date.now(), 8);
  try {
    writeFully(times, entry);
  } catch {
    // without its time the chunk gets that of the one before
  }
  let written = 0;
  const attempt = (): void => {
    try {
      while (written < chunk.length) written += writeSync(log, chunk, written);
    } catch {
      // a full disk: the agent waits on its pipe until there is room again, and no byte is lost
      agent.stdout.pause();
      setTimeout(attempt, retryWriteMs);
      return;
    }
    logSize += chunk.length;
    agent.stdout.resume();
    for (const client of clients) send(client, { type: "log", size: logSize });
  };
  attempt();
}

function writeFully(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function serveClient(client: Socket): void {
  clients.add(client);
  client.setEncoding("utf8");
  client.on("error", () => {});
  client.on("close", () => clients.delete(client));
  client.on(
    "data",
    createLineSplitter((line) => obey(JSON.parse(line) as ToRunner)),
  );
  send(client, { type: "log", size: logSize });
}

function obey(request: ToRunner): void {
  switch (request.type) {
    case "stdin":
      agent.stdin.write(request.data);
      return;
    case "stop":
      if (agent.pid === undefined) return;
      signalProcess(-agent.pid, "SIGTERM");
      setTimeout(() => void killExecutionProcesses({ executionId: order.executionId, agentPid: agent.pid }), stopGraceMs);
      return;
  }
}

function send(client: Socket, message: FromRunner): void {
  // a server that does not read must not make us hold its notices: they carry nothing that the files do not tell
  if (client.writableLength < 65_536 || message.type === "exited") client.write(`${JSON.stringify(message)}\n`);
}
