/*
 * A driver: the small program in a runner that speaks another agent's protocol. It outlives the server, so that the agent
 * keeps running when the server is gone. What the agent writes goes to the log line by line, escaped so that no line of it
 * can be read as a record of ours (X15), and from there to the decoders.
 */
import { writeSync } from "node:fs";
import { encodeLogRecord } from "@skein/contracts/log-record";
import { escapeAgentLine } from "@skein/contracts/record-frame";
import { readLines } from "../lines/read-lines.ts";
import type { Driver, DriverContext } from "./driver.ts";
import type { DriverControl } from "./driver-control.ts";
import type { DriverKind, DriverOrder } from "./driver-order.ts";

const drivers: Record<DriverKind, () => Promise<Driver>> = {
  "claude-code": async () => (await import("../claude-code/drive-claude-code.ts")).driveClaudeCode,
  acp: async () => (await import("../acp/drive-acp.ts")).driveAcp,
  command: async () => (await import("../command/drive-command.ts")).driveCommand,
  codex: async () => (await import("../codex/drive-codex.ts")).driveCodex,
};

const input = readLines(process.stdin);
const first = await input.next();
if (first.done) process.exit(0); // the runner died while it wrote: nothing may start any more
const order = JSON.parse(first.value) as DriverOrder;
const stopping = new AbortController();
process.on("SIGTERM", () => stopping.abort());
process.on("SIGINT", () => stopping.abort());

const context: DriverContext = {
  order,
  log: (line) => write(escapeAgentLine(typeof line === "string" ? Buffer.from(line) : line)),
  record: (record) => write(Buffer.from(encodeLogRecord(record))),
  onControl: readControls(),
  stop: stopping.signal,
};
const drive = await drivers[order.driver]();
// `exit` and not a natural end: our stdin stays open for as long as the runner lives
process.exit(await drive(context));

/** Written at once and whole: what the user will be shown is on its way before anything else happens. */
function write(line: Uint8Array): void {
  const bytes = Buffer.concat([line, Buffer.from("\n")]);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      // the runner does not read (a full disk): wait as a blocking write would
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** Controls that come before anybody listens are kept. */
function readControls(): DriverContext["onControl"] {
  const early: DriverControl[] = [];
  let listener = (control: DriverControl): void => void early.push(control);
  void (async () => {
    for await (const line of input) listener(JSON.parse(line) as DriverControl);
    stopping.abort(); // the runner is gone, and with it whoever could answer
  })();
  return (next) => {
    listener = next;
    for (const control of early.splice(0)) next(control);
  };
}
