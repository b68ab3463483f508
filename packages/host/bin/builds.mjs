import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { isAlive } from "./is-alive.mjs";

// Plain JavaScript without dependencies: the scripts of the repository use it before anything is installed.

/** Recently requested builds are kept: a process that just got one may not have marked it yet. */
const keptForMs = 3_600_000;

const removedSuffix = ".removed";

/** Whether `folder` is there. Its new time keeps others from deleting it before it is marked as used. */
export function touchBuild(folder) {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
    return true;
  } catch {
    return existsSync(folder); // a read-only file system
  }
}

/** Copies a build to `folder`, completely or not at all, for processes that outlive the original. */
export function copyBuild(source, folder) {
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  const fresh = mkdtempSync(`${folder}.`);
  try {
    cpSync(source, fresh, { recursive: true });
    mkdirSync(path.join(fresh, "in-use"));
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // otherwise another process was faster
  }
}

/** Deletes the builds in `folder` that no process of this machine uses and that were not requested recently. */
export function pruneBuilds(folder, { keep, now = Date.now() }) {
  for (const name of readdirSync(folder)) {
    const build = path.join(folder, name);
    const isUsed = listUsers(build).length > 0;
    if (name === keep || isUsed || now - statSync(build).mtimeMs < keptForMs) continue;
    // moved first: a partly deleted build must not be taken for a complete one
    const removed = name.endsWith(removedSuffix) ? build : `${build}${removedSuffix}`;
    renameSync(build, removed);
    rmSync(removed, { recursive: true, force: true });
  }
}

/** The processes that run from a build. Removes the marks of killed ones: another process may get the same id later. */
function listUsers(build) {
  const marks = path.join(build, "in-use");
  if (!existsSync(marks)) return [];
  return readdirSync(marks).filter((pid) => {
    if (isAlive(Number(pid))) return true;
    rmSync(path.join(marks, pid), { force: true });
    return false;
  });
}
