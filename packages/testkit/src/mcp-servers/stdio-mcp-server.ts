import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface StdioMcpProgram {
  mode?: "normal" | "exits-at-start" | "hangs-at-start" | "stubborn" | "leaves-child" | "garbage" | "only-garbage";
  /** A file that gets a line for every event, from the start of the process on. */
  trace?: string;
  /** Describes one of its tools differently. */
  poisoned?: boolean;
}

const program = fileURLToPath(new URL("./stdio-mcp-program.ts", import.meta.url));

/** How a configuration names it. */
export function stdioMcpServer(options: StdioMcpProgram = {}): { command: string; args: string[] } {
  return { command: process.execPath, args: ["--disable-warning=ExperimentalWarning", program, JSON.stringify(options)] };
}

/** Living processes with this environment variable, including descendants. Linux only. */
export function findMarkedProcesses(name: string, value: string): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`${name}=${value}`);
      } catch {
        return false; // ended meanwhile, or another user's
      }
    })
    .map(Number);
}
