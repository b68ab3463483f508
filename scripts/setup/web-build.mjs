import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { contentHash } from "./content-hash.mjs";
import { exclusively } from "./exclusively.mjs";
import { SetupError } from "./fail.mjs";
import { findNode } from "./own-node.mjs";
import { withProgress } from "./progress.mjs";
import { inRepository, root, workDirectory } from "./repository.mjs";
import { runCommand } from "./run-command.mjs";

const dist = inRepository("packages/web/dist");
const stampFile = path.join(dist, ".source-hash");
const sources = ["packages/web", "packages/contracts/src", "packages/engine/src", "packages/client/src", "package-lock.json"].map((part) =>
  inRepository(part),
);

/** Builds the web UI unless the existing build is of the current sources. Returns whether it built. */
export async function ensureWebBuild() {
  if (isCurrent(contentHash(sources, root))) return false;
  return exclusively("web-build", async () => {
    const hash = contentHash(sources, root);
    if (isCurrent(hash)) return false;
    await withProgress({ doing: "Building the web UI", done: "Built" }, () => build(hash));
    return true;
  });
}

const isCurrent = (hash) => existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash;

/** Built in a temporary folder and then moved: a build that fails keeps the previous one, and a running server never serves an incomplete one. */
async function build(hash) {
  const fresh = path.join(workDirectory, "web-build");
  const previous = path.join(workDirectory, "web-previous");
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(workDirectory, { recursive: true });
  const vite = inRepository("node_modules/vite/bin/vite.js");
  const cwd = inRepository("packages/web");
  const args = [vite, "build", "--outDir", path.relative(cwd, fresh), "--emptyOutDir", "--logLevel", "error"];
  const { code } = await runCommand(findNode(), args, { cwd });
  if (code !== 0) throw new SetupError("The web UI could not be built; Vite's own message is above.");
  writeFileSync(path.join(fresh, path.basename(stampFile)), hash);
  rmSync(previous, { recursive: true, force: true });
  if (existsSync(dist)) renameSync(dist, previous);
  renameSync(fresh, dist);
  rmSync(previous, { recursive: true, force: true });
}
