export type Victim = "server" | "runner" | "agent";

/** Where a run is cut: at the nth write of one process, before it, in its middle or after it. */
export interface KillPoint {
  process: Victim;
  /** From 1. Starting another program counts as well. */
  write: number;
  moment: "before" | "in the middle of" | "after";
  /** Who dies there, all at once. */
  victims: readonly Victim[];
}

/** The variable that names the file with the kill point; while there is no such file, nobody is killed. */
export const killPointVariable = "SKEIN_TEST_KILL_POINT";

/** Exists once somebody was killed. */
export const struckFile = (killPointFile: string): string => `${killPointFile}.struck`;
