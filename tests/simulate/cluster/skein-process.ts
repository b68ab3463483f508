import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Violations } from "../checks/violations.ts";

/**
 * A process of Skein's own program that faults kill, pause and start again. One that ends because it cannot reach the database, or its
 * server, while it starts is started again after a second, as systemd does. Any other end that nobody asked for is a violation.
 */
export interface SkeinProcess {
  readonly name: string;
  readonly home: string;
  readonly pid: number;
  readonly isRunning: boolean;
  readonly isPaused: boolean;
  /** How often it was started again because it could not start. */
  readonly restarts: number;
  /** What it has printed since its start. */
  readonly output: string;
  start(): void;
  kill(): Promise<void>;
  /** As Ctrl-C does; resolves with the exit code. */
  stop(): Promise<number | null>;
  pause(): void;
  resume(): void;
}

export interface ProcessInput {
  name: string;
  home: string;
  program: string;
  args: () => readonly string[];
  environment: Record<string, string>;
  violations: Violations;
}

const restartMs = 1000;
const cannotStart = /The database server (?:cannot be reached|is overloaded)|The server at \S+ cannot be reached/;

export function createSkeinProcess({ name, home, program, args, environment, violations }: ProcessInput): SkeinProcess {
  mkdirSync(home, { recursive: true });
  const log = createWriteStream(join(home, "..", `${name}.output`), { flags: "a" });
  let child: ChildProcess | undefined;
  let output = "";
  let isExpected = false;
  let isPaused = false;
  let restarts = 0;
  let restart: NodeJS.Timeout | undefined;

  const hasEnded = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    clearTimeout(restart);
    isExpected = true;
    if (child === undefined || hasEnded()) return child?.exitCode ?? null;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  const skeinProcess: SkeinProcess = {
    name,
    home,
    get restarts() {
      return restarts;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    get isRunning() {
      return !hasEnded();
    },
    get isPaused() {
      return isPaused;
    },
    get output() {
      return output;
    },
    start() {
      output = "";
      isExpected = false;
      isPaused = false;
      child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, ...args()], {
        env: { PATH: process.env.PATH ?? "", HOME: home, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const keep = (chunk: Buffer): void => {
        output = (output + String(chunk)).slice(-20_000);
        log.write(chunk);
      };
      child.stdout?.on("data", keep);
      child.stderr?.on("data", keep);
      child.once("exit", (code, signal) => {
        if (isExpected) return;
        if (!cannotStart.test(output))
          violations.add("processes run until they are ended", `${name} ended with ${code ?? signal}:\n${output.slice(-2000)}`);
        restarts++;
        restart = setTimeout(() => skeinProcess.start(), restartMs);
      });
    },
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGINT"),
    pause() {
      if (hasEnded()) return;
      isPaused = true;
      child?.kill("SIGSTOP");
    },
    resume() {
      isPaused = false;
      if (!hasEnded()) child?.kill("SIGCONT");
    },
  };
  return skeinProcess;
}
