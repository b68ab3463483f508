export type Victim = "server" | "runner" | "agent";

/** Where a run is killed: at the nth write of one process, before it, in the middle of it or after it. */
export interface KillPoint {
  process: Victim;
  /** From 1. Starting another program counts as well. */
  write: number;
  moment: "before" | "in the middle of" | "after";
  /** The processes that are killed there, all at once. */
  victims: readonly Victim[];
}

/** The variable that names the file with the kill point; without that file, nothing is killed. */
export const killPointVariable = "SKEIN_TEST_KILL_POINT";

/** Exists once a process was killed. */
export const struckFile = (killPointFile: string): string => `${killPointFile}.struck`;
