import type { Storage, StorageTransaction } from "@skein/engine";
import { StorageUnavailableError } from "@skein/storage";
import type { PendingPart, PendingWrites } from "./pending-writes.ts";

/** Rolls back a trial. */
class TrialOver extends Error {}

/**
 * Finds the parts of a failed write that can never be written: each part is tried in a transaction that is rolled back. Transient
 * failures, such as a full disk or a locked database, reject nothing permanently. Never rejects.
 */
export async function findRefused(input: {
  /** Why the write failed. */
  cause: unknown;
  storage: Storage;
  pending: PendingWrites;
  write(tx: StorageTransaction, written: PendingWrites, options: { at: number }): Promise<unknown>;
  createPending(): PendingWrites;
}): Promise<{ part: PendingPart; error: unknown }[]> {
  const refused: { part: PendingPart; error: unknown }[] = [];
  if (mayPass(input.cause)) return refused;
  for (const part of input.pending.parts()) {
    const alone = input.createPending();
    if (part.kind === "fact") alone.facts.push(part.value);
    else alone.add({ conversation: [], messages: [], [part.kind === "message" ? "messages" : "conversation"]: [part.value] });
    try {
      await input.storage.transaction(async (tx) => {
        await input.write(tx, alone, { at: 0 });
        throw new TrialOver();
      });
    } catch (error) {
      if (!(error instanceof TrialOver) && !mayPass(error)) refused.push({ part, error });
    }
  }
  return refused;
}

function mayPass(error: unknown): boolean {
  return error instanceof StorageUnavailableError && error.failure !== "other";
}
