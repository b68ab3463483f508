import { ensureProgramBuild } from "./program-build.mjs";

/** Vitest's set-up for tests that start Skein's programs: they start those that were built from the present sources. */
export async function setup() {
  process.env.SKEIN_PROGRAMS = await ensureProgramBuild();
}
