#!/usr/bin/env node
import { cpSync, existsSync, readFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
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
    if (touchBuild(copy)) {
      copyTerminals(copy);
      return copy;
    }
    copyBuild(original, copy);
    copyTerminals(copy);
    pruneBuilds(builds, { keep: build });
    return copy;
  } catch {
    return touchBuild(copy) ? copy : original;
  }
}

/** The package that opens terminals is not in the build: it has a binary for each system. Without it, Skein has no terminals. */
function copyTerminals(build) {
  const target = path.join(build, "node_modules", "@lydell");
  if (existsSync(target)) return;
  try {
    const found = path.dirname(path.dirname(createRequire(import.meta.url).resolve("@lydell/node-pty/package.json")));
    const temporary = `${target}.${process.pid}`;
    cpSync(found, temporary, { recursive: true });
    renameSync(temporary, target);
  } catch {
    // not installed, or another process has just copied it
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
