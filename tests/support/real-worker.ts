import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { connect as connectTcp, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { Worker, WorkerInvitation } from "@skein/contracts";
import { expect, onTestFinished } from "vitest";
import { skeinProgram } from "../../packages/cli/src/testing/skein-program.ts";
import { findMarkedProcesses, killExecutionProcesses } from "../../packages/host/src/runner/process-tree.ts";
import type { RealServer } from "./real-server.ts";
import { newFolder } from "./repository.ts";

/** `skein worker` in a process of its own, with its own data dir and home folder. */
export interface RealWorker {
  id: string;
  name: string;
  home: string;
  readonly output: string;
  /** Resolves when the server lists it as connected. */
  connected(): Promise<Worker>;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
  /** Resolves with the exit code when it ends by itself. */
  ended(): Promise<number | null>;
}

export const listWorkers = (server: RealServer) => server.api.request<Worker[]>("GET", "/api/workers");

/** Invites and starts a worker. It ends with the test, and so do its agents. */
export async function startRealWorker(
  server: RealServer,
  options: {
    name?: string;
    home?: string;
    args?: string[];
    url?: string;
    environment?: Record<string, string>;
    /** For stdout and stderr. */
    outputFile?: string;
  } = {},
): Promise<RealWorker> {
  const name = options.name ?? "box";
  const home = options.home ?? newFolder("worker");
  const { id, code } = await server.api.request<WorkerInvitation>("POST", "/api/workers", { name });
  let child: ChildProcess | undefined;
  let output = "";

  const ended = async (): Promise<number | null> => {
    if (child === undefined) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return child.exitCode;
  };
  const worker: RealWorker = {
    id,
    name,
    home,
    get output() {
      return output;
    },
    async connected() {
      let found: Worker | undefined;
      await expect
        .poll(
          async () => {
            found = (await listWorkers(server)).find((one) => one.id === id);
            return found?.isConnected;
          },
          { timeout: 60_000, message: output },
        )
        .toBe(true);
      if (found === undefined) throw new Error("unreachable");
      return found;
    },
    async start() {
      const args = [
        "worker",
        "--server",
        options.url ?? server.url,
        "--token",
        code,
        "--name",
        name,
        "--home",
        home,
        ...(options.args ?? []),
      ];
      const target = options.outputFile === undefined ? undefined : openSync(options.outputFile, "w");
      child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", skeinProgram, ...args], {
        env: { PATH: process.env.PATH ?? "", HOME: home, ...options.environment },
        stdio: ["ignore", target ?? "pipe", target ?? "pipe"],
      });
      if (target !== undefined) closeSync(target);
      child.stdout?.on("data", (chunk) => (output += chunk));
      child.stderr?.on("data", (chunk) => (output += chunk));
    },
    async kill() {
      child?.kill("SIGKILL");
      await ended();
    },
    async stop() {
      child?.kill("SIGINT");
      return ended();
    },
    ended,
  };
  onTestFinished(async () => {
    await worker.kill();
    const folder = join(home, "executions");
    const ids = existsSync(folder) ? readdirSync(folder).filter((one) => one.startsWith("exe_")) : [];
    const living = findMarkedProcesses(ids).map(({ executionId }) => executionId);
    for (const executionId of new Set(living)) await killExecutionProcesses({ executionId });
  });
  await worker.start();
  await worker.connected();
  return worker;
}

/** A network between worker and server that can be cut: connections end without a word, and new ones are refused until `restore`. */
export async function startNetwork(target: string): Promise<{ url: string; cut(): void; restore(): void }> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((client) => {
    if (isCut) return void client.destroy();
    const server = connectTcp(Number(port), "127.0.0.1");
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      if (one === server) one.pipe(other);
    }
    // as if the server were at this address: it accepts its own name only
    client.once("data", (head: Buffer) => {
      server.write(head.toString("latin1").replace(/^host: .*$/im, `host: 127.0.0.1:${port}`), "latin1");
      client.pipe(server);
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      isCut = false;
    },
  };
}
