import type { MessageBody } from "@skein/contracts";
import { type PairRepair, repairHistory } from "./repair-history.ts";

export interface RepairedHistory {
  /** The same array when nothing was wrong; messages that were right are the same objects. */
  messages: readonly MessageBody[];
  repairs: PairRepair[];
}

/**
 * Makes every call answered once, directly after it, in call order, under an id that no earlier call has. What is right
 * stays as it is, so that repairing twice changes nothing more, and what was repaired never depends on what follows it
 * but for its results: a longer history begins with the same bytes.
 */
export function fixToolPairs(messages: readonly MessageBody[]): RepairedHistory {
  const { messages: repaired, repairs } = repairHistory(messages, new Set());
  return { messages: repaired, repairs };
}
