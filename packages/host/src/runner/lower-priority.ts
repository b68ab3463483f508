import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

export const agentNiceness = 5;

/**
 * Lowers the CPU priority of a process and everything it starts, so that the server and the user's programs come first. Has no
 * effect if the system refuses.
 */
export function lowerPriority(pid = process.pid): void {
  for (const lower of [lowerProcess, lowerSession]) {
    try {
      lower(pid);
    } catch {
      // best effort
    }
  }
}

/** On Linux each thread has its own priority; new ones get that of the thread that creates them. */
function lowerProcess(pid: number): void {
  const threads = process.platform === "linux" ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
  for (const thread of threads) if (getPriority(thread) < agentNiceness) setPriority(thread, agentNiceness);
}

/**
 * Linux autogroups: CPU time is shared among sessions first, and priorities count only within one. Not inherited by new sessions.
 * Linux accepts such a change from ordinary users only once in 100 ms, so none is made without effect.
 */
function lowerSession(pid: number): void {
  if (process.platform !== "linux") return;
  const file = `/proc/${pid}/autogroup`;
  if (!readFileSync(file, "utf8").trimEnd().endsWith(`nice ${agentNiceness}`)) writeFileSync(file, String(agentNiceness));
}
