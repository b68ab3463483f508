/*
 * Loaded before one of our programs (`node --import`), it kills with -9 at a chosen write. It patches functions
 * of Node itself, so that the programs are exactly those that users run, and is inherited by what they start: a server's
 * runner, a runner's agent.
 */
import childProcess, { type ChildProcess, type SpawnOptions } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";
import { type KillPoint, killPointVariable, struckFile, type Victim } from "./kill-point.ts";

const loader = new URL("./load-kill-points.mjs", import.meta.url).href;
const pidsVariable = "SKEIN_TEST_PIDS";
const writesKey = "skein-test-writes";
const file = process.env[killPointVariable] ?? "";
const runs = (program: string): boolean => process.argv.some((arg) => basename(arg) === `${program}.js`);
const self: Victim = runs("runner-program") ? "runner" : runs("native-program") ? "agent" : "server";
const pids: Partial<Record<Victim, number>> = { ...JSON.parse(process.env[pidsVariable] ?? "{}"), [self]: process.pid };
const original = { ...fs, spawn: childProcess.spawn, exec: DatabaseSync.prototype.exec, stdout: process.stdout.write };
const firstPoint = readPoint();
let countedPoint = "";
/** Shared with the threads of this process: each of them loads this program. */
const writes = shareWrites();

function shareWrites(): Int32Array {
  if (isMainThread) setEnvironmentData(writesKey, new Int32Array(new SharedArrayBuffer(4)));
  return getEnvironmentData(writesKey) as unknown as Int32Array;
}

function readPoint(): string | undefined {
  return fs.existsSync(file) ? original.readFileSync(file, "utf8") : undefined;
}

/** A server survives many runs, each with its own kill point; a process that it starts keeps the point of its start. */
function currentPoint(): KillPoint | undefined {
  const text = self === "server" ? readPoint() : firstPoint;
  if (text === undefined) return undefined;
  // a thread works for a server that has already begun to count
  if (countedPoint !== text && isMainThread) Atomics.store(writes, 0, 0);
  countedPoint = text;
  return JSON.parse(text) as KillPoint;
}

function atWrite<T>(write: () => T, writeHalf: () => unknown = () => {}): T {
  const point = currentPoint();
  if (point?.process !== self || Atomics.add(writes, 0, 1) + 1 !== point.write) return write();
  if (point.moment === "after") write();
  if (point.moment === "in the middle of") writeHalf();
  original.writeFileSync(struckFile(file), "");
  for (const victim of point.victims) if (victim !== self && pids[victim] !== undefined) process.kill(pids[victim], "SIGKILL");
  if (point.victims.includes(self)) process.kill(process.pid, "SIGKILL");
  for (;;); // nothing after this may happen
}

const halfOf = (data: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(data);
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
};

function spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const next = { server: "runner", runner: "agent", agent: undefined }[self] as Victim | undefined;
  // a runner starts its agent through a shell that execs it
  const place = program === process.execPath ? 0 : args.indexOf(process.execPath) + 1;
  const isOurs = next !== undefined && (place > 0 || program === process.execPath) && currentPoint() !== undefined;
  const environment = { ...options.env, [killPointVariable]: file, [pidsVariable]: JSON.stringify(pids) };
  return atWrite(() => {
    if (!isOurs) return original.spawn(program, args, options);
    const withUs = args.toSpliced(place, 0, "--import", loader);
    const child = original.spawn(program, withUs, { ...options, env: environment });
    if (next !== undefined && child.pid !== undefined) pids[next] = child.pid;
    return child;
  });
}
childProcess.spawn = spawn as typeof childProcess.spawn;

if (self === "server") {
  const writers = new WeakSet<DatabaseSync>();
  DatabaseSync.prototype.exec = function exec(sql) {
    if (sql.startsWith("BEGIN IMMEDIATE")) writers.add(this);
    if (sql !== "COMMIT" || !writers.has(this)) return original.exec.call(this, sql);
    return atWrite(() => original.exec.call(this, sql));
  };
}

if (self === "runner") {
  fs.writeSync = ((fd: number, bytes: Uint8Array, ...rest: []) =>
    atWrite(
      () => original.writeSync(fd, bytes, ...rest),
      () => original.writeSync(fd, halfOf(bytes)),
    )) as typeof fs.writeSync;
  fs.writeFileSync = ((path: string, data: string, options: object) =>
    atWrite(
      () => original.writeFileSync(path, data, options),
      () => original.writeFileSync(path, halfOf(data), options),
    )) as typeof fs.writeFileSync;
  fs.renameSync = (from, to) => atWrite(() => original.renameSync(from, to));
}

if (self === "agent") {
  process.stdout.write = ((text: string, done: () => void) =>
    atWrite(
      () => Reflect.apply(original.stdout, process.stdout, [text, done]),
      () => original.writeSync(1, halfOf(text)),
    )) as typeof process.stdout.write;
}

syncBuiltinESMExports();
