import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

export const agentNiceness = 5;

/**
 * Lets the server and the user's own programs go first where a processor is wanted by several: agents work in the background. For this
 * process and all that it starts. Where the system refuses it, everything stays as it is.
 */
export function lowerPriority(): void {
  for (const lower of [() => setPriority(agentNiceness), lowerSession]) {
    try {
      lower();
    } catch {
      // it is a courtesy, not a condition
    }
  }
}

/** Linux shares the processors among sessions first (autogroups), and compares priorities only inside of each. Not inherited by new ones. */
function lowerSession(): void {
  if (process.platform === "linux") writeFileSync("/proc/self/autogroup", String(agentNiceness));
}
