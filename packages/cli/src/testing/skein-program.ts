import path from "node:path";

/** The `skein` command as users run it; the global setup of the tests builds it. */
export const skeinProgram = path.join(builtPrograms(), "skein.js");

function builtPrograms(): string {
  const folder = process.env.SKEIN_PROGRAMS;
  if (folder === undefined) throw new Error("SKEIN_PROGRAMS is not set: run this test with its project's global setup (vitest.config.ts).");
  return folder;
}
