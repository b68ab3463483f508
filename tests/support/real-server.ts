import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { skeinProgram } from "../../packages/cli/src/testing/skein-program.ts";
import { findMarkedProcesses, killExecutionProcesses } from "../../packages/host/src/runner/process-tree.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { newFolder } from "./repository.ts";
import { databaseEnvironment, dropDatabaseOf } from "./server-database.ts";

/** The program as users start it, in its own process, with its own data dir and database, and a free port. */
export interface RealServer {
  home: string;
  readonly url: string;
  readonly api: ApiClient;
  readonly output: string;
  readonly pid: number;
  start(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** As Ctrl-C does. */
  stop(): Promise<void>;
}

/** Stopped when the test ends, with its agents, which would outlive it, unless several tests share it. */
export async function startRealServer(
  options: {
    home?: string;
    environment?: Record<string, string>;
    keep?: true;
    umask?: string;
    openFiles?: number;
    /** Another build's `skein`. */
    program?: string;
  } = {},
): Promise<RealServer> {
  const home = options.home ?? newFolder("home");
  const database = options.environment?.SKEIN_DATABASE_URL === undefined ? await databaseEnvironment(home) : {};
  let child: ChildProcess | undefined;
  let url = "";
  let output = "";
  let port = "0"; // a restart uses the same port

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }

  const server: RealServer = {
    home,
    get url() {
      return url;
    },
    get api() {
      return createApiClient({ url, token: readFileSync(join(home, "token"), "utf8").trim() });
    },
    get output() {
      return output;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    async start() {
      output = "";
      const node = [process.execPath, "--disable-warning=ExperimentalWarning", options.program ?? skeinProgram];
      const setUmask = options.umask === undefined ? "" : `umask ${options.umask}; `;
      const setLimit = options.openFiles === undefined ? "" : `ulimit -n ${options.openFiles}; `;
      const args = ["-c", `${setUmask}${setLimit}exec "$@"`, "sh", ...node, "serve", "--home", home, "--port", port, "--no-open"];
      child = spawn("sh", args, {
        env: { PATH: process.env.PATH ?? "", HOME: home, SKEIN_SCRIPTED_MODELS: "1", ...database, ...options.environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout?.on("data", (chunk) => (output += chunk));
      child.stderr?.on("data", (chunk) => (output += chunk));
      const exited = once(child, "exit").then(() => Promise.reject(new Error(`the server ended:\n${output}`)));
      exited.catch(() => {});
      const listening = vi.waitFor(
        () => {
          // printed even if nothing can be written
          const link = /Open\s+(https?:\/\/[^/\s]+)/.exec(output);
          if (link?.[1] === undefined) throw new Error("not listening yet");
          return link[1];
        },
        { timeout: 90_000, interval: 20 },
      );
      url = await Promise.race([listening, exited]);
      port = new URL(url).port;
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGINT"),
  };
  // before the start, which may fail halfway
  if (!options.keep) {
    onTestFinished(async () => {
      await server.stop();
      await endAgents(home);
      await dropDatabaseOf(home);
    });
  }
  await server.start();
  return server;
}

/** Agents that a failed test left waiting; their runners end by themselves. */
async function endAgents(home: string): Promise<void> {
  const executions = join(home, "executions");
  if (!existsSync(executions)) return;
  const ids = readdirSync(executions).filter((name) => name.startsWith("exe_"));
  const living = findMarkedProcesses(ids).map(({ executionId }) => executionId);
  for (const executionId of new Set(living)) await killExecutionProcesses({ executionId });
}
