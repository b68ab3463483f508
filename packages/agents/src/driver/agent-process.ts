import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { readByteLines } from "../lines/read-lines.ts";
import { signalGroup } from "../programs/signal-group.ts";
import type { DriverContext } from "./driver.ts";

/** How a program ended. */
export interface AgentProcessEnd {
  /** 128 plus the signal's number if a signal ended it, as in a shell. */
  exitCode: number;
  /** Why it could not be started. */
  startError?: NodeJS.ErrnoException;
}

/** A program that is driven over stdin and stdout; its stderr goes to the execution's error file. */
export interface AgentProcess {
  /**
   * Lines of its stdout without line ends, in order, until it closes stdout, or has exited and nothing more arrives. Reads only on
   * demand: a full disk slows the program down.
   */
  lines: AsyncIterable<Buffer>;
  write(line: string): void;
  closeStdin(): void;
  /** Sends a signal to the program and its process group. */
  signal(signal: NodeJS.Signals): void;
  ended: Promise<AgentProcessEnd>;
  /** The end of its stderr, for agents that report errors only there; complete after `ended` and all lines are read. */
  readErrors(): Promise<string>;
}

type AgentHost = Pick<DriverContext, "environment" | "startProgram" | "logErrors" | "whenWritable">;

const keptErrorBytes = 8000;
const errorPatienceMs = 500;
/** How long to wait for more output after an agent has exited. */
const outputPatienceMs = 1000;

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGPIPE: 13, SIGTERM: 15 };

/** Starts a program in its own process group, as part of the execution. Failures to start are reported by `ended`. */
export function startAgentProcess(
  host: AgentHost,
  input: {
    command: readonly [string, ...string[]];
    args: readonly string[];
    directory: string;
    /** Added to the agent's environment. */
    environment?: Readonly<Record<string, string>>;
  },
): AgentProcess {
  const [program, ...first] = input.command;
  const child = host.startProgram({
    program,
    args: [...first, ...input.args],
    directory: input.directory,
    environment: { ...host.environment, ...input.environment },
    stdin: "pipe",
  });
  const ended = new Promise<AgentProcessEnd>((resolve) => {
    child.once("error", (startError) => resolve({ exitCode: 127, startError }));
    child.once("exit", (code, signal) => resolve({ exitCode: code ?? 128 + (signalNumbers[signal ?? "SIGKILL"] ?? 0) }));
  });
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || !stdin || !stdout || !stderr) return toUnstartedProcess(ended);
  stdin.on("error", () => {}); // it closed its stdin or has exited: `ended` reports it
  let errors = Buffer.alloc(0);
  stderr.on("data", (chunk: Buffer) => {
    errors = Buffer.concat([errors, chunk]).subarray(-keptErrorBytes);
  });
  host.logErrors(stderr);
  const errorsClosed = new Promise<void>((resolve) => stderr.once("close", resolve));
  return {
    lines: readByteLines(readOutput(stdout, ended, host)),
    write: (line) => void stdin.write(`${line}\n`),
    closeStdin: () => void stdin.end(),
    signal(signal) {
      if (child.exitCode === null && child.signalCode === null) signalGroup(pid, signal);
    },
    ended,
    async readErrors() {
      // a child process may keep its stderr open
      await Promise.race([errorsClosed, wait(errorPatienceMs)]);
      return errors.toString("utf8");
    },
  };
}

/**
 * The agent blocks on its pipe while its earlier output cannot be logged. A child process may keep the pipe open: after the agent's exit,
 * the first silence ends the reading.
 */
async function* readOutput(source: Readable, ended: Promise<unknown>, { whenWritable }: AgentHost): AsyncGenerator<Buffer> {
  let hasEnded = false;
  let isReading = false;
  let isGivenUp = false;
  let timer: NodeJS.Timeout | undefined;

  const stopReading = (): void => {
    if (!isReading) return;
    isGivenUp = true;
    source.destroy();
  };
  const startReading = (): void => {
    isReading = true;
    // setImmediate: on a busy machine the timer may fire before anything could be read
    if (hasEnded) timer = setTimeout(() => setImmediate(stopReading), outputPatienceMs);
  };

  void ended.then(() => {
    hasEnded = true;
    if (isReading) startReading();
  });
  startReading();
  try {
    for await (const chunk of source) {
      isReading = false;
      clearTimeout(timer);
      yield chunk;
      await whenWritable();
      startReading();
    }
  } catch (error) {
    if (!isGivenUp) throw error;
  } finally {
    isReading = false;
    clearTimeout(timer);
  }
}

function toUnstartedProcess(ended: Promise<AgentProcessEnd>): AgentProcess {
  const nothing = (): void => {};
  return {
    lines: readByteLines((async function* () {})()),
    write: nothing,
    closeStdin: nothing,
    signal: nothing,
    ended,
    readErrors: async () => "",
  };
}
