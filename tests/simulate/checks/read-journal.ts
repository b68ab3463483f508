import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What an agent itself says about its work. */
export interface Journal {
  /** How often an agent was started for the run. */
  starts: number;
  /** Parts in the order in which they were printed; the last one perhaps was not, if the agent was killed. */
  parts: number[];
  /** It printed everything. */
  isComplete: boolean;
}

export function readJournal(folder: string, run: number): Journal {
  const file = join(folder, `${run}.journal`);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return {
    starts: lines.filter((line) => line.startsWith("start ")).length,
    parts: lines.filter((line) => line.startsWith("part ")).map((line) => Number(line.slice(5))),
    isComplete: lines.some((line) => line.startsWith("end ")),
  };
}
