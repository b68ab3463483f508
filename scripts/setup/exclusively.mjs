import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive } from "../../packages/host/bin/is-alive.mjs";
import { workDirectory } from "./repository.mjs";
import { printLine } from "./step-output.mjs";

/** A lock without an owner's name is one whose owner died between two system calls. */
const namelessIsStaleAfterMs = 5_000;

/**
 * Runs `work` while no other process of this repository runs work of the same name.
 * Two `npm start` at once would otherwise run two `npm ci` in one folder, each deleting what the other unpacks.
 */
export async function exclusively(name, work) {
  const lock = path.join(workDirectory, `${name}.lock`);
  mkdirSync(workDirectory, { recursive: true });
  let isAnnounced = false;
  while (!tryLock(lock)) {
    if (breakStale(lock)) continue;
    if (!isAnnounced) printLine(`Waiting for another process to finish the same work (${name}) …`);
    isAnnounced = true;
    await delay(200);
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

function tryLock(lock) {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(path.join(lock, "pid"), String(process.pid));
  return true;
}

/** Removes the lock of a dead process. If two processes do so at once, the second one moves the first one's new lock, notices that, and puts it back. */
function breakStale(lock) {
  const owner = readOwner(lock);
  if (!isStale(lock, owner)) return false;
  const moved = `${lock}.${process.pid}`;
  try {
    renameSync(lock, moved);
  } catch {
    return false;
  }
  if (readOwner(moved) === owner) rmSync(moved, { recursive: true, force: true });
  else renameSync(moved, lock);
  return true;
}

function isStale(lock, owner) {
  if (owner !== undefined) return !isAlive(owner);
  try {
    return Date.now() - statSync(lock).mtimeMs > namelessIsStaleAfterMs;
  } catch {
    return false;
  }
}

function readOwner(lock) {
  try {
    const pid = Number(readFileSync(path.join(lock, "pid"), "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
