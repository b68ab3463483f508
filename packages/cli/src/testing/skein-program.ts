import path from "node:path";

/** The `skein` command as it is built and run by users; the set-up of the tests builds it. */
export const skeinProgram = path.join(builtPrograms(), "skein.js");

function builtPrograms(): string {
  const folder = process.env.SKEIN_PROGRAMS;
  if (folder === undefined) throw new Error("SKEIN_PROGRAMS names no build: run this test with its project's set-up (vitest.config.ts).");
  return folder;
}
