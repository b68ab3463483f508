#!/usr/bin/env node
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { copyBuild, pruneBuilds, touchBuild } from "@skein/host/builds";
import { onSupportedNode } from "./check-node.mjs";

// The `skein` of the npm package: `bin/skein.js`, next to the folder `build`.

const packageFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * npm replaces the package's files when it upgrades, and deletes those that npx fetched, while servers and agents run from them
 * for days. They run from a copy that stays until nobody uses it; the package itself is used where no copy can be written.
 */
function findBuild() {
  const original = path.join(packageFolder, "build");
  const { build } = JSON.parse(readFileSync(path.join(packageFolder, "package.json"), "utf8"));
  const builds = path.join(findCacheFolder(), "skein", "programs");
  const copy = path.join(builds, build);
  try {
    if (touchBuild(copy)) return copy;
    copyBuild(original, copy);
    pruneBuilds(builds, { keep: build });
    return copy;
  } catch {
    return touchBuild(copy) ? copy : original;
  }
}

function findCacheFolder() {
  if (process.env.XDG_CACHE_HOME) return path.resolve(process.env.XDG_CACHE_HOME);
  return path.join(os.homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
}

await onSupportedNode(async (args) => {
  const { runCli } = await import(pathToFileURL(path.join(findBuild(), "run-cli.js")).href);
  return runCli(args);
}, "Install a newer one from https://nodejs.org.");
