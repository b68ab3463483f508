import { afterAll } from "vitest";
import { openCpuAccount } from "./cpu-account.mjs";

// Runs before each test file, in a worker process that runs many files.
globalThis.skeinCpuAccount ??= openCpuAccount();
const account = globalThis.skeinCpuAccount;
const startMs = account.usedMs();

// The first `afterAll` runs last.
// biome-ignore lint/correctness/noEmptyPattern: Vitest accepts nothing else as the first parameter
afterAll(({}, file) => {
  file.meta.cpuMs = account.usedMs() - startMs;
});
