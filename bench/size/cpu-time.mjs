import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of processor time that a process has used, all threads. Undefined where the system does not report it. */
export function readCpuMs(pid) {
  try {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    }
    return nanoseconds / 1e6;
  } catch {
    return undefined;
  }
}

/**
 * What `work` costs a process, in milliseconds: its processor time, which is the same on a busy machine as on an idle one; elapsed
 * time where that is not known.
 */
export async function measureCost(pid, work) {
  const [cpu, startedAt] = [readCpuMs(pid), performance.now()];
  await work();
  const after = readCpuMs(pid);
  return cpu === undefined || after === undefined ? performance.now() - startedAt : after - cpu;
}
