/*
 * The runner: a small detached process that owns one agent's stdio and outlives the server. It imports nothing but
 * Node's own modules and the frame of log records, so that it starts fast and an upgrade of the server does not pull files
 * from under it.
 *
 * Order: claim, runner.json, "ready" to the server, the head of the log, what comes before the agent, the agent, exit.json,
 * gone.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { timingSafeEqual } from "node:crypto";
import { chmodSync, closeSync, createWriteStream, fsyncSync, openSync, unlinkSync, writeSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { LogRecord } from "@skein/contracts/log-record";
import { encodeRecordLine, logVersion } from "@skein/contracts/record-frame";
import { createExecutionCgroup, removeCgroup } from "./execution-cgroup.ts";
import { type AgentExit, claimExecution, executionFolder, type RunnerIdentity, type RunnerOrder, writeWhole } from "./execution-folder.ts";
import { toMarkedCommand } from "./marked-command.ts";
import { type RunningPreamble, runPreamble } from "./preamble.ts";
import {
  executionMarker,
  killExecutionProcesses,
  type ProcessIdentity,
  readBootId,
  readProcessStartTime,
  signalProcess,
} from "./process-tree.ts";
import { createLineSplitter, type FromRunner, parseToRunner, type ToRunner } from "./runner-protocol.ts";

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
/** Chunks that are to be in the log, oldest first; of the first, `writtenOfFirst` bytes are. */
const unwritten: Buffer[] = [];
let writtenOfFirst = 0;
let sources: readonly Readable[] = [];

let agent: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
let agentIdentity: ProcessIdentity | undefined;
let preamble: RunningPreamble | undefined;
let isStopped = false;
/** What came for the agent before it was there. */
const early: string[] = [];
let refusedControl: true | undefined;
const cgroup = createExecutionCgroup(order.executionId);
const killAll = () => killExecutionProcesses({ executionId: order.executionId, agent: agentIdentity, cgroup });

const umask = process.umask(0o177);
const socketServer = createServer(serveClient);
await new Promise<void>((resolve) => socketServer.listen(order.socket, resolve));
chmodSync(order.socket, 0o600);
process.umask(umask); // the agent makes files of its own
writeWhole(folder.runner, {
  pid: process.pid,
  startTime: readProcessStartTime(process.pid),
  bootId: readBootId(),
  socket: order.socket,
  ...(cgroup === undefined ? {} : { cgroup }),
} satisfies RunnerIdentity);
process.stdout.on("error", () => {}); // the server died before it could hear us
process.stdout.write("ready\n");

const exit = (await runBefore()) ?? (await runAgent());
await untilWritten();
fsyncSync(log);
closeSync(log);
closeSync(times);
removeCgroup(cgroup ?? "", order.executionId);
writeWhole(folder.exit, refusedControl === undefined ? exit : { ...exit, refusedControl });
for (const client of clients) send(client, { type: "exited" });
socketServer.close();
for (const client of clients) client.end();
try {
  unlinkSync(order.socket);
} catch {
  // already gone
}
setTimeout(() => process.exit(0), 1000).unref();

/** Undefined when the agent is to be started. */
async function runBefore(): Promise<AgentExit | undefined> {
  record({ type: "log", version: logVersion });
  preamble = runPreamble(order.preamble, { ...order, cgroup }, record);
  sources = preamble.sources;
  const notStarted = await preamble.ended;
  sources = [];
  await untilWritten(); // an agent that looks at its log must find there what came before it
  if (isStopped) return { exitCode: null, signal: "SIGTERM", endedAt: Date.now() };
  return notStarted === undefined ? undefined : { exitCode: null, signal: null, endedAt: Date.now(), notStarted };
}

async function runAgent(): Promise<AgentExit> {
  const { program, args } = toMarkedCommand({ ...order, cgroup });
  const child = spawn(program, args, {
    cwd: order.cwd,
    env: { ...order.environment, [executionMarker]: order.executionId },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  agent = child;
  if (child.pid !== undefined) agentIdentity = { pid: child.pid, startTime: readProcessStartTime(child.pid) };
  sources = [child.stdout];
  const ended = new Promise<AgentExit>((resolve) => {
    child.once("error", (error) => resolve({ exitCode: null, signal: null, endedAt: Date.now(), startError: error.message }));
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, endedAt: Date.now() }));
  });
  const drained = new Promise<void>((resolve) => child.stdout.once("close", resolve));
  child.stdin.on("error", () => {}); // the agent closed its stdin or is gone; its exit tells
  child.stdin.write(order.stdin);
  for (const data of early.splice(0)) child.stdin.write(data);
  child.stdout.on("data", (chunk: Buffer) => appendToLog(chunk));
  child.stderr.pipe(createWriteStream(folder.stderr, { flags: "a", mode: 0o600 }));

  const exit = await ended;
  // a grandchild may hold the pipe open for as long as it lives
  await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, drainAfterExitMs))]);
  await killAll();
  await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, drainAfterExitMs))]);
  child.stdout.destroy();
  return exit;
}

async function readOrder(): Promise<RunnerOrder> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) text += chunk;
  // cut short when the server died while it wrote: no claim, nothing runs
  return JSON.parse(text) as RunnerOrder;
}

/** Only before the agent starts: later it could end up inside a line that the agent's program is about to finish. */
function record(record: LogRecord): void {
  appendToLog(Buffer.from(`${encodeRecordLine(record)}\n`));
}

function appendToLog(chunk: Buffer): void {
  const entry = Buffer.alloc(16);
  entry.writeBigUInt64LE(BigInt(logSize + unwritten.reduce((sum, { length }) => sum + length, 0)), 0);
  entry.writeDoubleLE(Date.now(), 8);
  try {
    writeFully(times, entry);
  } catch {
    // without its time the chunk gets that of the one before
  }
  unwritten.push(chunk);
  if (unwritten.length === 1) writeLog();
}

function writeLog(): void {
  try {
    for (let first = unwritten[0]; first !== undefined; first = unwritten[0]) {
      while (writtenOfFirst < first.length) writtenOfFirst += writeSync(log, first, writtenOfFirst);
      unwritten.shift();
      writtenOfFirst = 0;
      logSize += first.length;
    }
  } catch {
    // a full disk: the agent waits on its pipe until there is room again, and no byte is lost
    for (const source of sources) source.pause();
    setTimeout(writeLog, retryWriteMs);
    return;
  }
  for (const source of sources) source.resume();
  for (const client of clients) send(client, { type: "log", size: logSize });
}

async function untilWritten(): Promise<void> {
  while (unwritten.length > 0) await new Promise((resolve) => setTimeout(resolve, retryWriteMs));
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
    createLineSplitter(
      (line) => {
        const control = parseToRunner(line);
        if (control !== undefined && isOurKey(control.key)) handle(control.request);
        else refuse(client);
      },
      () => refuse(client),
    ),
  );
  send(client, { type: "log", size: logSize });
  if (refusedControl) send(client, { type: "control-refused" });
}

function isOurKey(key: string): boolean {
  const [given, ours] = [Buffer.from(key), Buffer.from(order.controlKey)];
  return given.length === ours.length && timingSafeEqual(given, ours);
}

/** It is not the server: an agent, for one, that wants to answer its own question (E10). */
function refuse(client: Socket): void {
  client.destroy();
  if (refusedControl) return;
  refusedControl = true;
  for (const other of clients) send(other, { type: "control-refused" });
}

function handle(request: ToRunner): void {
  switch (request.type) {
    case "stdin":
      if (agent === undefined) early.push(request.data);
      else agent.stdin.write(request.data);
      return;
    case "stop":
      isStopped = true;
      preamble?.stop();
      if (agent?.pid === undefined) return;
      signalProcess(-agent.pid, "SIGTERM");
      setTimeout(() => void killAll(), stopGraceMs);
      return;
  }
}

function send(client: Socket, message: FromRunner): void {
  // a server that does not read must not make us hold its notices: they carry nothing that the files do not tell
  if (client.writableLength < 65_536 || message.type === "exited") client.write(`${JSON.stringify(message)}\n`);
}
