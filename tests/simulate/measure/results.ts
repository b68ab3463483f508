import type { DatabaseUsage } from "./database-usage.ts";
import type { Usage } from "./process-usage.ts";

/** A distribution, in milliseconds. */
export interface Times {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** What a simulation measured, while it runs and at its end. */
export interface Results {
  seconds: number;
  servers: number;
  workers: number;
  clients: number;
  connected: number;
  executions: { started: number; running: number };
  /** Executions at the same time: fewer than wanted when the machine does not carry them. */
  meanExecutions: number;
  wantedExecutions: number;
  /** How executions ended. */
  statuses?: Record<string, number>;
  /** Parts of agents' output that were compared with what is stored, and messages of clients. */
  parts?: number;
  checked?: number;
  events: number;
  eventsPerSecond: number;
  /** Lines that agents printed. */
  linesPerSecond: number;
  frames: number;
  framesPerSecond: number;
  megabytesToClients: number;
  reads: Times;
  writes: Times;
  retries: number;
  /** From an agent's line to a client. */
  delays: Times;
  reconnects: Times;
  jumps: number;
  failover: Record<string, Times>;
  faults: Record<string, number>;
  usage: Record<string, Usage>;
  database: DatabaseUsage & { statementsPerSecond: number; transactionsPerSecond: number };
  violations: number;
}
