import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { readByteLines } from "../lines/read-lines.ts";

export interface AgentProcessEnd {
  /** 128 and the signal's number for one that was ended by a signal, as in a shell. */
  exitCode: number;
  /** Why it could not be started. */
  startError?: NodeJS.ErrnoException;
}

/** A program that is driven over its stdin and stdout; what it writes to stderr goes to ours. */
export interface AgentProcess {
  /** Lines of its stdout without their ends, in order, until it closes it. Only what is taken is read: a full disk slows it down. */
  lines: AsyncIterable<Buffer>;
  write(line: string): void;
  closeStdin(): void;
  /** To it and everything in its process group. */
  signal(signal: NodeJS.Signals): void;
  ended: Promise<AgentProcessEnd>;
  /** The end of what it wrote to stderr, for agents that say only there what went wrong; complete once `ended` and all lines are read. */
  readErrors(): Promise<string>;
}

const keptErrorBytes = 8000;
const errorPatienceMs = 500;

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGPIPE: 13, SIGTERM: 15 };

export function startAgentProcess(input: {
  command: readonly [string, ...string[]];
  args: readonly string[];
  directory: string;
  environment?: Readonly<Record<string, string>>;
}): AgentProcess {
  const [program, ...first] = input.command;
  // a group of its own: a signal to us is a request to end it gently, and must not reach it by itself
  const child = spawn(program, [...first, ...input.args], {
    cwd: input.directory,
    env: { ...process.env, ...input.environment },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdin.on("error", () => {}); // it closed its stdin or is gone: its end tells
  let errors = Buffer.alloc(0);
  child.stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = Buffer.concat([errors, chunk]).subarray(-keptErrorBytes);
  });
  const errorsClosed = new Promise<void>((resolve) => child.stderr.once("close", resolve));
  const ended = new Promise<AgentProcessEnd>((resolve) => {
    child.once("error", (startError) => resolve({ exitCode: 127, startError }));
    child.once("exit", (code, signal) => resolve({ exitCode: code ?? 128 + (signalNumbers[signal ?? "SIGKILL"] ?? 0) }));
  });
  return {
    lines: readByteLines(child.stdout),
    write: (line) => void child.stdin.write(`${line}\n`),
    closeStdin: () => void child.stdin.end(),
    signal(signal) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      try {
        process.kill(-child.pid, signal);
      } catch {
        // it has just ended
      }
    },
    ended,
    async readErrors() {
      // something that it started may hold its stderr open for as long as it lives
      await Promise.race([errorsClosed, wait(errorPatienceMs)]);
      return errors.toString("utf8");
    },
  };
}
