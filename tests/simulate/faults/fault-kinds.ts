/**
 * What can go wrong. `kill` is SIGKILL, `pause` SIGSTOP for longer or shorter than a lease. `cut` ends connections and refuses new ones for
 * a while, `stall` keeps them open and passes no byte.
 */
export const faultKinds = [
  "kill-server",
  "pause-server",
  "kill-worker",
  "pause-worker",
  "kill-agent",
  "stop-execution",
  "restart-database-fast",
  "restart-database-immediate",
  "cut-database",
  "stall-database",
  "cut-worker",
  "stall-worker",
  "cut-nodes",
  "cut-clients",
] as const;
export type FaultKind = (typeof faultKinds)[number];
