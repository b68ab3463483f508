import type { ChildProcess } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import type { McpFailureText } from "@skein/contracts";
import { takeEnd, takeStart } from "@skein/engine";
import { signalGroup } from "../programs/signal-group.ts";
import type { SandboxOrder } from "../sandbox/sandbox-order.ts";
import { startProgram } from "../sandbox/start-program.ts";
import { McpConnectionError } from "./mcp-connection-error.ts";

export interface StdioProgram {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  sandbox?: SandboxOrder | undefined;
}

const largestMessage = 32 * 1024 * 1024;
const keptErrorOutput = 2000;
const endGraceMs = 500;
const drainMs = 250;

/**
 * A server as a child process. Not the SDK's own transport, which adds our variables to the environment, keeps the child in our process
 * group and leaves its children behind.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #program: StdioProgram;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #exit: McpFailureText | undefined;
  #errorOutput = "";
  #strayLine: string | undefined;
  #pending: Buffer[] = [];
  #pendingLength = 0;

  constructor(program: StdioProgram) {
    this.#program = program;
  }

  async start(): Promise<void> {
    const { command, args, cwd, environment, sandbox } = this.#program;
    const child = startProgram(sandbox, { program: command, args, cwd, environment }, { stdin: "pipe" });
    this.#child = child;
    const killWithUs = () => signalGroup(child.pid, "SIGKILL");
    process.once("exit", killWithUs);
    this.#exited = new Promise((resolve) => {
      const settle = () => {
        clearTimeout(drain);
        process.off("exit", killWithUs);
        resolve();
        this.onclose?.();
      };
      let drain: NodeJS.Timeout | undefined;
      child.once("close", settle);
      child.once("error", (error) => {
        this.#exit ??= toStartFailure(command, error);
      });
      child.once("exit", (code, signal) => {
        this.#exit ??= signal === null ? { code: "mcp-exited", exitCode: code ?? 0 } : { code: "mcp-killed", signal };
        signalGroup(child.pid, "SIGKILL"); // its leftover child processes
        // a process that left the group may keep the pipes open
        drain = setTimeout(() => {
          for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
        }, drainMs);
      });
    });
    child.stdin?.on("error", (error) => this.onerror?.(error));
    child.stdout?.on("data", (bytes: Buffer) => this.#read(bytes));
    const decoder = new StringDecoder("utf8");
    child.stderr?.on("data", (bytes: Buffer) => {
      this.#errorOutput = takeEnd(this.#errorOutput + decoder.write(bytes), keptErrorOutput);
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(new McpConnectionError(toStartFailure(command, error), { cause: error })));
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === null || stdin === undefined || this.#exit !== undefined) throw new Error("the server is not running");
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    // a server that does not read: the wait is bounded by the request's timeout
    await new Promise<void>((resolve) => {
      stdin.once("drain", resolve);
      void this.#exited.then(resolve);
    });
  }

  /** Resolves when its process group has ended: closes stdin first, then SIGTERM, then SIGKILL. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || this.#exit !== undefined) return this.#exited;
    child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const timer = setTimeout(() => signalGroup(child.pid, signal), signal === "SIGTERM" ? endGraceMs : 2 * endGraceMs);
      void this.#exited.then(() => clearTimeout(timer));
    }
    return this.#exited;
  }

  /** Why the program ended; undefined while it runs. */
  get exit(): McpFailureText | undefined {
    return this.#exit;
  }

  /** What the program printed that may explain a failure. */
  get printed(): { stdout?: string; stderr?: string } {
    const stderr = stripVTControlCharacters(this.#errorOutput).trim();
    return {
      ...(this.#strayLine === undefined ? {} : { stdout: this.#strayLine }),
      ...(stderr === "" ? {} : { stderr }),
    };
  }

  #read(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      const line = Buffer.concat([...this.#pending, bytes.subarray(start, end)]).toString("utf8");
      this.#pending = [];
      this.#pendingLength = 0;
      start = end + 1;
      if (line.trim() !== "") this.#receive(line);
    }
    if (start === bytes.length) return;
    this.#pending.push(bytes.subarray(start));
    this.#pendingLength += bytes.length - start;
    if (this.#pendingLength <= largestMessage) return;
    this.#pending = [];
    this.#pendingLength = 0;
    this.#exit ??= { code: "mcp-message-too-long", maxBytes: largestMessage };
    signalGroup(this.#child?.pid, "SIGKILL");
  }

  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line));
    } catch {
      // many servers print a banner or a log line: it must not break the answers that follow
      this.#strayLine ??= takeStart(stripVTControlCharacters(line), 200);
      return;
    }
    this.onmessage?.(message);
  }
}

function toStartFailure(command: string, error: Error): McpFailureText {
  if ("code" in error && error.code === "ENOENT") return { code: "mcp-program-not-found", command };
  return { code: "mcp-program-not-started", command, error: error.message };
}
