/*
 * The runner: a small detached process that owns one agent's stdio and outlives the server. It imports only Node's own modules and the
 * record frame, so that it starts fast and does not depend on files that an upgrade replaces. If the agent has a driver, the runner loads
 * it and runs it in this process.
 *
 * Order: claim, runner.json, "ready" to the server, head of the log, preamble, agent, exit.json, exit. A failure before "ready" is
 * reported to the server and leaves nothing behind. After it, no failure ends the runner before its agent: what cannot be written is
 * buffered until it can be.
 */
import { spawn } from "node:child_process";
import { timingSafeEqual } from "node:crypto";
import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sandboxVariable } from "@skein/agents/sandbox-order";
import { logVersion } from "@skein/contracts/record-frame";
import { keepProcessAlive } from "../faults/keep-process-alive.ts";
import { createBufferedFile, readRest } from "./buffered-file.ts";
import { createExecutionCgroup, limitCgroup, removeCgroup } from "./execution-cgroup.ts";
import {
  type AgentExit,
  claimExecution,
  type DriverRunnerOrder,
  executionFolder,
  type ProgramRunnerOrder,
  type RunnerIdentity,
  type RunnerOrder,
  writeWhole,
} from "./execution-folder.ts";
import { createExecutionLog } from "./execution-log.ts";
import { executionMarker } from "./execution-marker.ts";
import { lowerPriority } from "./lower-priority.ts";
import { toMarkedCommand } from "./marked-command.ts";
import { type RunningPreamble, runPreamble } from "./preamble.ts";
import { processTable } from "./process-table.ts";
import { killExecutionProcesses, type ProcessIdentity, signalProcess } from "./process-tree.ts";
import { watchResources } from "./resource-watch.ts";
import { type RunningDriver, runDriver } from "./run-driver.ts";
import { createLineSplitter, type FromRunner, parseToRunner, type ToRunner } from "./runner-protocol.ts";

const stopGraceMs = 2500;
const drainAfterExitMs = 500;
/** While the log cannot be written, this process is the only place for what is left in a pipe. */
const drainHeldMs = 5000;
const retryWriteMs = 500;

process.stdout.on("error", () => {}); // the server has exited
process.stderr.on("error", () => {}); // a file on a disk that may be full

lowerPriority(); // if the server could not
const order = await readOrder();
const folder = executionFolder(order.folder);
for (const signal of ["SIGINT", "SIGHUP", "SIGPIPE"] as const) process.on(signal, () => {});

const clients = new Set<Socket>();
const log = createExecutionLog(folder, (size) => {
  for (const client of clients) send(client, { type: "log", size });
});
const errors = createBufferedFile(folder.stderr);

let agentStdin: Writable | undefined;
/** The agent's first processes; a driver may start several. */
const agents: ProcessIdentity[] = [];
let driver: RunningDriver | undefined;
let preamble: RunningPreamble | undefined;
let isStopped = false;
/** The agent has exited, and its remaining output cannot be written. */
let isWaiting = false;
/** Input for the agent that arrived before it was started. */
const early: string[] = [];
let refusedControl: true | undefined;
const cgroup = createExecutionCgroup(order.executionId);
const limits = order.limits ?? {};
if (cgroup !== undefined) limitCgroup(cgroup, limits);
const killAll = () => killExecutionProcesses({ executionId: order.executionId, roots: agents, cgroup });
const socketServer = createServer(serveClient);

await getReady();
keepProcessAlive((event, error) => {
  console.error(event, error);
  // with a driver, it almost certainly threw this: an agent with a broken driver would never end
  driver?.fail(error);
});
process.stdout.write("ready\n");

const watch = watchResources({
  executionId: order.executionId,
  limits,
  cgroup,
  onOver: (over) => log.recordBetweenLines({ type: "notice", text: { code: "program-over-limit", ...over } }),
});
const exit = await runAll();
const overLimit = watch.explainEnd();
watch.stop();
isWaiting = log.isHeld || errors.isHeld;
if (isWaiting) for (const client of clients) send(client, { type: "waiting" });
await log.untilWritten();
await errors.untilWritten();
log.close();
errors.close();
removeCgroup(cgroup ?? "", order.executionId);
await writeExit({ ...exit, ...toEnd() });
for (const client of clients) send(client, { type: "exited" });
socketServer.close();
rmSync(order.socket, { force: true });
await Promise.race([Promise.all([...clients].map(endClient)), wait(1000)]);
process.exit(0);

function toEnd(): Pick<AgentExit, "wasStopped" | "overLimit" | "refusedControl"> {
  return {
    ...(isStopped ? { wasStopped: true as const } : {}),
    ...(overLimit === undefined ? {} : { overLimit }),
    ...(refusedControl ? { refusedControl } : {}),
  };
}

/** Exits if it cannot run an agent. Nothing has started, so the server may retry. */
async function getReady(): Promise<void> {
  let isClaimed = false;
  try {
    // a server gave this execution up: nothing may start
    if (!claimExecution(folder, `runner ${process.pid}`)) process.exit(0);
    isClaimed = true;
    const umask = process.umask(0o177);
    await new Promise<void>((resolve, reject) => socketServer.once("error", reject).listen(order.socket, resolve));
    chmodSync(order.socket, 0o600);
    process.umask(umask); // restored for the agent's own files
    writeWhole(folder.runner, {
      pid: process.pid,
      startTime: processTable.readStartTime(process.pid),
      bootId: processTable.readBootId(),
      socket: order.socket,
      ...(cgroup === undefined ? {} : { cgroup }),
    } satisfies RunnerIdentity);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify({ message, code })}\n`, resolve));
    removeCgroup(cgroup ?? "", order.executionId);
    rmSync(order.socket, { force: true });
    rmSync(folder.runner, { force: true });
    // last: from here on another runner may claim the execution
    if (isClaimed) rmSync(folder.claim, { force: true });
    process.exit(1);
  }
}

/** Never rejects: on any failure the agent's processes are gone and its exit is written. */
async function runAll(): Promise<AgentExit> {
  try {
    return (await runBefore()) ?? (await ("driverOrder" in order ? runDriven(order) : runProgram(order)));
  } catch (error) {
    console.error("the agent could not be run", error);
    await killAll();
    const startError = error instanceof Error ? error.message : String(error);
    return { exitCode: null, signal: null, endedAt: Date.now(), startError };
  }
}

async function writeExit(exit: AgentExit): Promise<void> {
  for (;;) {
    try {
      writeWhole(folder.exit, exit);
      return;
    } catch {
      if (!isWaiting) for (const client of clients) send(client, { type: "waiting" });
      isWaiting = true;
      await wait(retryWriteMs);
    }
  }
}

/** Runs the preamble. Undefined if the agent may start. */
async function runBefore(): Promise<AgentExit | undefined> {
  log.record({ type: "log", version: logVersion });
  preamble = runPreamble(order.preamble, { ...order, cgroup }, log.record);
  log.holdBack(preamble.sources);
  const notStarted = await preamble.ended;
  log.holdBack([]);
  // an agent that reads its log must find the preamble there
  while (log.isHeld && !isStopped) await wait(retryWriteMs / 5);
  if (isStopped) return { exitCode: null, signal: "SIGTERM", endedAt: Date.now() };
  return notStarted === undefined ? undefined : { exitCode: null, signal: null, endedAt: Date.now(), notStarted };
}

async function runDriven(order: DriverRunnerOrder): Promise<AgentExit> {
  const startSandboxed = order.sandbox === undefined ? undefined : (await import("@skein/agents/sandbox")).startSandboxed;
  driver = runDriver({ order, cgroup, log, errors, startSandboxed, onStarted: (process) => agents.push(process) });
  for (const data of early.splice(0)) driver.control(data);
  const exit = await driver.ended;
  await killAll();
  await driver.drainErrors();
  return exit;
}

async function runProgram(order: ProgramRunnerOrder): Promise<AgentExit> {
  const { program, args } = toMarkedCommand({ ...order, cgroup, searchPath: order.environment.PATH });
  const child = spawn(program, args, {
    cwd: order.cwd,
    env: {
      ...order.environment,
      ...(order.sandbox === undefined ? {} : { [sandboxVariable]: JSON.stringify(order.sandbox) }),
      [executionMarker]: order.executionId,
    },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const ended = new Promise<AgentExit>((resolve) => {
    child.once("error", (error) => resolve({ exitCode: null, signal: null, endedAt: Date.now(), startError: error.message }));
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, endedAt: Date.now() }));
  });
  if (child.pid === undefined) return ended; // without free file descriptors there are no pipes either
  agentStdin = child.stdin;
  agents.push({ pid: child.pid, startTime: processTable.readStartTime(child.pid) });
  log.holdBack([child.stdout]);
  errors.holdBack([child.stderr]);
  const outputs = [child.stdout, child.stderr];
  const drained = Promise.all(outputs.map((output) => new Promise<void>((resolve) => output.once("close", resolve))));
  child.stdin.on("error", () => {}); // the agent closed its stdin or is gone; its exit is reported
  child.stdin.write(order.stdin);
  for (const data of early.splice(0)) child.stdin.write(data);
  child.stdout.on("data", (chunk: Buffer) => log.append(chunk));
  child.stderr.on("data", (chunk: Buffer) => errors.append(chunk));

  const exit = await ended;
  const drain = (ms: number) => Promise.race([drained, wait(ms, undefined, { ref: false })]);
  const isHeld = log.isHeld || errors.isHeld;
  // a grandchild may keep the pipe open for as long as it lives
  if (!isHeld) await drain(drainAfterExitMs);
  await killAll();
  for (const output of outputs) readRest(output);
  await drain(isHeld ? drainHeldMs : drainAfterExitMs);
  for (const output of outputs) output.destroy();
  return exit;
}

async function readOrder(): Promise<RunnerOrder> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) text += chunk;
  // truncated, because the server died while writing: no claim, nothing runs
  return JSON.parse(text) as RunnerOrder;
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
  send(client, { type: "log", size: log.size });
  if (isWaiting) send(client, { type: "waiting" });
  if (refusedControl) send(client, { type: "control-refused" });
}

function isOurKey(key: string): boolean {
  const [given, ours] = [Buffer.from(key), Buffer.from(order.controlKey)];
  return given.length === ours.length && timingSafeEqual(given, ours);
}

/** Rejects a client that is not the server: for example an agent that tries to answer its own approval (E10). */
function refuse(client: Socket): void {
  client.destroy();
  if (refusedControl) return;
  refusedControl = true;
  for (const other of clients) send(other, { type: "control-refused" });
}

function handle(request: ToRunner): void {
  switch (request.type) {
    case "stdin":
      if (driver !== undefined) driver.control(request.data);
      else if (agentStdin !== undefined) agentStdin.write(request.data);
      else early.push(request.data);
      return;
    case "stop":
      isStopped = true;
      preamble?.stop();
      stopAgent();
      return;
  }
}

/** First by protocol or SIGTERM, then by SIGKILL. */
function stopAgent(): void {
  if (driver !== undefined) driver.stop();
  else if (agents[0] !== undefined) signalProcess(-agents[0].pid, "SIGTERM");
  else return;
  setTimeout(async () => {
    await killAll();
    await driver?.abandon();
  }, stopGraceMs);
}

function endClient(client: Socket): Promise<void> {
  return new Promise((resolve) => {
    client.once("close", () => resolve());
    client.end();
  });
}

function send(client: Socket, message: FromRunner): void {
  // drop reports for a server that does not read: the files contain the same information
  if (client.writableLength < 65_536 || message.type === "exited") client.write(`${JSON.stringify(message)}\n`);
}
