import type { Violation } from "../checks/violations.ts";

/** A server as clients reach it. */
export interface ClientTarget {
  name: string;
  /** Through a proxy. */
  url: string;
  /** The name that the server accepts. */
  host: string;
  token: string;
}

/** From the simulation to a process of clients. */
export type ClientOrder =
  | { type: "start"; first: number; clients: number; auditors: number; targets: ClientTarget[]; seed: number }
  /** Tasks that clients may open. */
  | { type: "tasks"; ids: string[] }
  /** Everything is committed: each client catches up and compares. `folder` has the stored conversations. */
  | { type: "finish"; lastSeq: number; numbers: string; folder: string; lostExecutions: string[] };

/** Twice a second, and once at the end with `isFinished`. */
export interface ClientReport {
  connected: number;
  /** Since the last report. */
  frames: number;
  bytes: number;
  /** From an agent's line to a client, in milliseconds. */
  delays: number[];
  /** From a lost connection to the next open one. */
  reconnects: number[];
  /** Positions that were moved without replay. */
  jumps: number;
  violations: Violation[];
  checked: number;
  isFinished: boolean;
}
