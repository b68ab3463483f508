import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { contentHash } from "./content-hash.mjs";
import { exclusively } from "./exclusively.mjs";
import { SetupError } from "./fail.mjs";
import { isAlive } from "./is-alive.mjs";
import { findNode } from "./own-node.mjs";
import { withProgress } from "./progress.mjs";
import { inRepository, root, workDirectory } from "./repository.mjs";
import { runCommand } from "./run-command.mjs";

const sources = [
  ...["contracts", "engine", "providers", "agents", "storage", "host", "forge", "server", "cli"].map((name) => `packages/${name}`),
  "scripts/setup/build-programs.mjs",
  "scripts/setup/third-party-licenses.mjs",
  "package-lock.json",
].map((part) => inRepository(part));

/** Recently requested builds are kept: a process that just got one may not have marked it yet. */
const keptForMs = 3_600_000;

const removedSuffix = ".removed";

/**
 * Builds the programs that run in Node unless the current sources have been built. Returns the build's folder. Each build has
 * its own folder and never changes: a server that runs from it starts agents of the same build, whatever is built later.
 */
export async function ensureProgramBuild() {
  const folder = folderOf(contentHash(sources, root));
  if (isUsable(folder)) return folder;
  return exclusively("program-build", async () => {
    const wanted = folderOf(contentHash(sources, root));
    if (isUsable(wanted)) return wanted;
    await withProgress({ doing: "Building Skein's programs", done: "Built" }, () => build(wanted));
    pruneBuilds(path.dirname(wanted), { keep: path.basename(wanted) });
    return wanted;
  });
}

const folderOf = (hash) => inRepository("dist", hash.slice(0, 16));

function isUsable(folder) {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
    return true;
  } catch {
    return existsSync(folder); // a read-only file system
  }
}

/** Built in a temporary folder and then moved: a build is complete, or does not exist. */
async function build(folder) {
  const fresh = path.join(workDirectory, "program-build");
  rmSync(fresh, { recursive: true, force: true });
  const { code } = await runCommand(findNode(), [inRepository("scripts/setup/build-programs.mjs"), fresh], { cwd: root });
  if (code !== 0) throw new SetupError("Skein's programs could not be built; the reason is above.");
  mkdirSync(path.dirname(folder), { recursive: true });
  renameSync(fresh, folder);
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
