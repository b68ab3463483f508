import { readFileSync } from "node:fs";
import path from "node:path";
import { SetupError } from "./fail.mjs";
import { findNpm } from "./find-npm.mjs";
import { runCommand } from "./run-command.mjs";

/** Runs `npm pack` on an assembled package. Returns the file, which is in `folder`. */
export async function packFolder(assembled, folder) {
  const { name, version } = JSON.parse(readFileSync(path.join(assembled, "package.json"), "utf8"));
  const npm = findNpm();
  const args = [...npm.args, "pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const { code, tail } = await runCommand(npm.command, args, { cwd: assembled, output: "keep" });
  if (code !== 0) throw new SetupError(`npm could not pack ${name}:\n${tail}`);
  return path.join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
}
