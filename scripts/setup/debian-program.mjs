import { canUseApt, runApt } from "./apt.mjs";
import { withProgress } from "./progress.mjs";
import { runCommand } from "./run-command.mjs";

/** Installs a program that only some tests need, if it is missing and packages can be installed. */
export async function ensureDebianProgram({ program, args, packageName }) {
  if ((await runCommand(program, args, { output: "keep" })).code === 0) return;
  if (!canUseApt()) return;
  await withProgress({ doing: `Installing ${packageName} with apt-get`, done: "Done" }, async () => {
    const install = () => runApt(["install", "-q", "-y", "--no-install-recommends", packageName]);
    if ((await install()).code === 0) return;
    await runApt(["update", "-q"]);
    await install();
  });
}
