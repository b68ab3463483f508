import { readdirSync, readFileSync } from "node:fs";

/** Ends the agents of a simulation that failed. Their runners end with them. */
export function endProcesses(journals: string): void {
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(journals)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // it has ended
    }
  }
}
