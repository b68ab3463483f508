import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

export const agentNiceness = 5;

/**
 * Lowers the CPU priority of this process and everything it starts, so that the server and the user's programs come first. Has no
 * effect if the system refuses.
 */
export function lowerPriority(): void {
  for (const lower of [() => setPriority(agentNiceness), lowerSession]) {
    try {
      lower();
    } catch {
      // best effort
    }
  }
}

/** Linux autogroups: CPU time is shared among sessions first, and priorities count only within one. Not inherited by new sessions. */
function lowerSession(): void {
  if (process.platform === "linux") writeFileSync("/proc/self/autogroup", String(agentNiceness));
}
