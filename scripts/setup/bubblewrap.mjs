import { ensureDebianProgram } from "./debian-program.mjs";

/** Installs bubblewrap if possible. Without it, tests of sandboxes are skipped. */
export const ensureBubblewrap = () => ensureDebianProgram({ program: "bwrap", args: ["--version"], packageName: "bubblewrap" });
