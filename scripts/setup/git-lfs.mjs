import { canUseApt, runApt } from "./apt.mjs";
import { withProgress } from "./progress.mjs";
import { runCommand } from "./run-command.mjs";

/** Installs git-lfs if possible. Without it, the one test that needs the real program is skipped. */
export async function ensureGitLfs() {
  if (await isInstalled()) return;
  if (!canUseApt()) return;
  await withProgress({ doing: "Installing git-lfs with apt-get", done: "Done" }, async () => {
    const install = () => runApt(["install", "-q", "-y", "--no-install-recommends", "git-lfs"]);
    if ((await install()).code === 0) return;
    await runApt(["update", "-q"]);
    await install();
  });
}

const isInstalled = async () => (await runCommand("git-lfs", ["version"], { output: "keep" })).code === 0;
