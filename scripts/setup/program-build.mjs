import { mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { pruneBuilds, touchBuild } from "../../packages/host/bin/builds.mjs";
import { contentHash } from "./content-hash.mjs";
import { exclusively } from "./exclusively.mjs";
import { SetupError } from "./fail.mjs";
import { findNode } from "./own-node.mjs";
import { withProgress } from "./progress.mjs";
import { inRepository, root, workDirectory } from "./repository.mjs";
import { runCommand } from "./run-command.mjs";

const sources = [
  ...["contracts", "engine", "client", "providers", "agents", "storage", "host", "forge", "server", "cli"].map(
    (name) => `packages/${name}`,
  ),
  "scripts/setup/build-programs.mjs",
  "scripts/setup/third-party-licenses.mjs",
  "package-lock.json",
  "skills",
].map((part) => inRepository(part));

/**
 * Builds the programs that run in Node unless the current sources have been built. Returns the build's folder. Each build has
 * its own folder and never changes: a server that runs from it starts agents of the same build, whatever is built later.
 */
export async function ensureProgramBuild() {
  const folder = folderOf(contentHash(sources, root));
  if (touchBuild(folder)) return folder;
  return exclusively("program-build", async () => {
    const wanted = folderOf(contentHash(sources, root));
    if (touchBuild(wanted)) return wanted;
    await withProgress({ doing: "Building Skein's programs", done: "Built" }, () => build(wanted));
    pruneBuilds(path.dirname(wanted), { keep: path.basename(wanted) });
    return wanted;
  });
}

const folderOf = (hash) => inRepository("dist", hash.slice(0, 16));

/** Built in a temporary folder and then moved: a build is complete, or does not exist. */
async function build(folder) {
  const fresh = path.join(workDirectory, "program-build");
  rmSync(fresh, { recursive: true, force: true });
  const { code } = await runCommand(findNode(), [inRepository("scripts/setup/build-programs.mjs"), fresh], { cwd: root });
  if (code !== 0) throw new SetupError("Skein's programs could not be built; the reason is above.");
  mkdirSync(path.dirname(folder), { recursive: true });
  renameSync(fresh, folder);
}
