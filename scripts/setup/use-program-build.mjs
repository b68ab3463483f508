import { ensureProgramBuild } from "./program-build.mjs";

/** Vitest's global setup for tests that start Skein's programs: it builds them from the current sources. */
export async function setup() {
  process.env.SKEIN_PROGRAMS = await ensureProgramBuild();
}
