import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ensureProgramBuild } from "../scripts/setup/program-build.mjs";
import { inRepository } from "../scripts/setup/repository.mjs";
import { readRunDelayMs } from "./agents/run-delay.mjs";

const longestStartMs = 60_000;

export async function findFreePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Starts a server program and measures the time from the spawn to its first 200 response at `readyPath`. */
export async function startProcess(args, { port, readyPath }) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  while (!(await answersOk(port, readyPath))) {
    if (child.exitCode !== null || performance.now() - startedAt > longestStartMs) {
      child.kill("SIGKILL");
      throw new Error(`The server did not start:\n${output}`);
    }
    await delay(1);
  }
  const readyMs = performance.now() - startedAt;
  const delayedMs = readRunDelayMs(`${child.pid}/task/${child.pid}`);
  return {
    pid: child.pid,
    readyMs,
    /** Of it, how long its thread was ready to run and had no processor. */
    delayedMs,
    output: () => output,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

export const startReference = (port) => startProcess([inRepository("bench/reference-server.mjs"), String(port)], { port, readyPath: "/" });

export async function startSkein({ home, port }) {
  // with the flag of `npm start`: a smaller young generation, which is enough for an idle server
  const args = [
    "--max-semi-space-size=4",
    path.join(await ensureProgramBuild(), "skein.js"),
    "serve",
    "--home",
    home,
    "--port",
    String(port),
    "--no-open",
  ];
  return startProcess(args, { port, readyPath: "/api/health" });
}

/** Runs `work` with its own data dir, which is deleted afterwards. */
export async function withHome(work) {
  const home = mkdtempSync(path.join(os.tmpdir(), "skein-bench-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function answersOk(port, readyPath) {
  return new Promise((resolve) => {
    const asked = request({ host: "127.0.0.1", port, path: readyPath, agent: false }, (response) => {
      response.resume().once("close", () => resolve(response.statusCode === 200));
    });
    asked.once("error", () => resolve(false)).end();
  });
}
