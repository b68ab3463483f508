import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { exclusively } from "./exclusively.mjs";
import { explainInstallFailure } from "./explain-install-failure.mjs";
import { SetupError } from "./fail.mjs";
import { findNpm } from "./find-npm.mjs";
import { withProgress } from "./progress.mjs";
import { inRepository, root } from "./repository.mjs";
import { runCommand } from "./run-command.mjs";

const lockFile = inRepository("package-lock.json");
const installedLockFile = inRepository("node_modules/.package-lock.json");
const stampFile = inRepository("node_modules/.skein-installed");

/** Installs the packages of package-lock.json unless they are installed already. Returns whether it installed any. */
export async function ensureDependencies() {
  if (isStamped()) return false;
  return exclusively("install", async () => {
    if (isStamped()) return false;
    if (isInstalledTreeCurrent()) {
      stamp();
      return false;
    }
    await install();
    stamp();
    return true;
  });
}

async function install() {
  const reason = existsSync(inRepository("node_modules")) ? "package-lock.json changed" : "first start";
  const { command, args } = findNpm();
  const doing = `Installing dependencies (${reason}; about half a minute, needs the network)`;
  await withProgress({ doing, done: "Installed" }, async () => {
    // Engine warnings refer to the Node that installs, not to the one that will run.
    const { code, tail } = await runCommand(command, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: root });
    if (code !== 0) throw new SetupError(explainInstallFailure(tail));
  });
}

/** In a folder that is shared with a container, node_modules may contain the other platform's binaries. */
const platform = `${process.platform}-${process.arch}`;

const stampContent = () => `${platform} ${createHash("sha256").update(readFileSync(lockFile)).digest("hex")}`;
const readStamp = () => (existsSync(installedLockFile) && existsSync(stampFile) ? readFileSync(stampFile, "utf8") : undefined);
const isStamped = () => readStamp() === stampContent();
const stamp = () => writeFileSync(stampFile, stampContent());

/** True after a plain `npm install` or `npm ci`: npm's own record of the tree lists every package of the lock file. */
function isInstalledTreeCurrent() {
  if (!existsSync(installedLockFile)) return false;
  if (readStamp()?.startsWith(`${platform} `) === false) return false;
  const wanted = JSON.parse(readFileSync(lockFile, "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedLockFile, "utf8")).packages;
  return Object.entries(wanted)
    .filter(([key, entry]) => key.includes("node_modules/") && !entry.optional && !entry.devOptional)
    .every(([key, entry]) => {
      const found = installed[key];
      return found !== undefined && found.version === entry.version && found.integrity === entry.integrity;
    });
}
