/*
 * The process of a terminal: it owns the shell, keeps the end of its output and outlives the server. It ends with the shell, and leaves
 * its exit and the end of its output in files.
 *
 * Order: "ready" to the server, process.json, output, exit.json, exit. A failure before "ready" is reported to the server.
 */
import { timingSafeEqual } from "node:crypto";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { TerminalExit } from "@skein/contracts";
import { keepProcessAlive } from "../faults/keep-process-alive.ts";
import { type RunnerIdentity, writeWhole } from "../runner/execution-folder.ts";
import { lowerPriority } from "../runner/lower-priority.ts";
import { processTable } from "../runner/process-table.ts";
import { createFlowControl } from "./flow-control.ts";
import type { RunningProgram } from "./running-program.ts";
import { createScrollBack } from "./scroll-back.ts";
import { startScript } from "./start-script.ts";
import { startShell } from "./start-shell.ts";
import { type TerminalOrder, terminalFolder } from "./terminal-folder.ts";
import { createFirstLine, parseTerminalRequest, type TerminalReply, type TerminalRequest } from "./terminal-protocol.ts";

const keptBytes = 1024 * 1024;
const flow = createFlowControl({ bytes: 256 * 1024, staleMs: 2000 }, Date.now);
const lookMs = 250;
const idleCheckMs = 60_000;
const longestWaitMs = 60_000;
/** Readers get the exit before the process ends. */
const lingerMs = 300;

process.stdout.on("error", () => {}); // the server has exited
process.stderr.on("error", () => {});
for (const signal of ["SIGINT", "SIGHUP", "SIGPIPE"] as const) process.on(signal, () => {});

lowerPriority(); // if the server could not
const order = await readOrder();
const folder = terminalFolder(order.folder);
const output = createScrollBack(keptBytes);
const waiting = new Set<() => void>();
let exit: TerminalExit | null = null;
let isPaused = false;
let usedAt = Date.now();
let program: RunningProgram | undefined;

const server = createServer(serve);
program = await getReady();
keepProcessAlive((event, error) => console.error(event, error));
const looking = setInterval(resumeIfRead, lookMs);
const idling = setInterval(() => {
  if (flow.hasReaders()) usedAt = Date.now();
  if (Date.now() - usedAt > order.idleMs) void program?.close();
}, idleCheckMs);
process.stdout.write("ready\n");

const { exitCode, signal, startError } = await program.ended;
clearInterval(looking);
clearInterval(idling);
exit = { exitCode, signal, endedAt: Date.now(), ...(startError === undefined ? {} : { startError }) };
save();
wake();
await new Promise((resolve) => setTimeout(resolve, lingerMs));
server.close();
rmSync(order.socket, { force: true });
process.exit(0);

async function readOrder(): Promise<TerminalOrder> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) text += chunk;
  return JSON.parse(text) as TerminalOrder;
}

async function getReady(): Promise<RunningProgram> {
  try {
    const umask = process.umask(0o177);
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(order.socket, resolve));
    chmodSync(order.socket, 0o600);
    process.umask(umask);
    const { run } = order;
    const started = run.type === "shell" ? await startShell(order, run, take) : await startScript(order, run.script, take);
    writeWhole(folder.process, {
      pid: process.pid,
      startTime: processTable.readStartTime(process.pid),
      bootId: processTable.readBootId(),
      socket: order.socket,
    } satisfies RunnerIdentity);
    return started;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    rmSync(order.socket, { force: true });
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify({ message, code })}\n`, resolve));
    process.exit(1);
  }
}

function take(chunk: Uint8Array): void {
  output.append(chunk);
  usedAt = Date.now();
  wake();
  if (!isPaused && program !== undefined && flow.isBehind(output.end)) {
    isPaused = true;
    program.pause();
  }
}

function resumeIfRead(): void {
  if (!isPaused || flow.isBehind(output.end)) return;
  isPaused = false;
  program?.resume();
}

function wake(): void {
  for (const resolve of waiting) resolve();
  waiting.clear();
}

/** The end of the output first: with the exit, everything is there. On a full disk the exit counts more. */
function save(): void {
  const { data } = output.read(0, keptBytes);
  try {
    writeFileSync(`${folder.output}.tmp`, JSON.stringify({ start: output.end - data.length, data: Buffer.from(data).toString("base64") }), {
      mode: 0o600,
    });
    renameSync(`${folder.output}.tmp`, folder.output);
  } catch (error) {
    console.error("the output could not be kept", error);
  }
  try {
    writeWhole(folder.exit, exit);
  } catch (error) {
    console.error("the exit could not be kept", error);
  }
}

function serve(client: Socket): void {
  const firstLine = createFirstLine();
  client.on("error", () => {});
  const onData = (chunk: Buffer): void => {
    const line = firstLine(chunk);
    if (line === undefined) return;
    client.off("data", onData);
    const parsed = line === null ? undefined : parseTerminalRequest(line);
    // any process of this user finds the socket
    if (parsed === undefined || !isOurKey(parsed.key)) client.destroy();
    else void answer(client, parsed.request);
  };
  client.on("data", onData);
}

function isOurKey(key: string): boolean {
  const [given, ours] = [Buffer.from(key), Buffer.from(order.controlKey)];
  return given.length === ours.length && timingSafeEqual(given, ours);
}

async function answer(client: Socket, request: TerminalRequest): Promise<void> {
  usedAt = Date.now();
  switch (request.type) {
    case "write":
      program?.write(request.data);
      return reply(client, { start: output.end, data: new Uint8Array() });
    case "resize":
      program?.resize(request);
      return reply(client, { start: output.end, data: new Uint8Array() });
    case "close":
      await program?.close();
      return reply(client, { start: output.end, data: new Uint8Array() });
    case "read": {
      const { from, limit, waitMs, reader } = request;
      flow.onRead(reader, Math.min(from, output.end));
      resumeIfRead();
      if (from >= output.end && exit === null) await untilOutput(client, Math.min(waitMs, longestWaitMs), reader, from);
      return reply(client, output.read(from, limit));
    }
    default:
      return request satisfies never;
  }
}

/** Resolves with the next output, with the exit, after a time, or when the client is gone. A reader that waits has not gone. */
function untilOutput(client: Socket, waitMs: number, reader: string, from: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      waiting.delete(done);
      flow.onRead(reader, from);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    waiting.add(done);
    client.once("close", done);
  });
}

function reply(client: Socket, { start, data }: { start: number; data: Uint8Array }): void {
  client.write(`${JSON.stringify({ start, length: data.length, end: output.end, exit } satisfies TerminalReply)}\n`);
  client.end(data);
}
