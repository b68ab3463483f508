import { ensureDebianProgram } from "./debian-program.mjs";

/** Installs git-lfs if possible. Without it, the one test that needs the real program is skipped. */
export const ensureGitLfs = () => ensureDebianProgram({ program: "git-lfs", args: ["version"], packageName: "git-lfs" });
