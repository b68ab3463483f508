import { AsyncLocalStorage } from "node:async_hooks";
import type { AuditEntry } from "@skein/contracts";
import type { Storage } from "@skein/engine";

/** The entry of a request that is being answered. */
interface PendingEntry {
  toEntry(): Omit<AuditEntry, "number">;
  state: "open" | "writing" | "written";
}

const requests = new AsyncLocalStorage<PendingEntry>();

/**
 * Runs `work`, and writes the entry in the first of its transactions: both are stored, or neither. `isRecorded` is false if it had none.
 * The storage must be one of `withAudit`.
 */
export async function runAudited<T>(toEntry: PendingEntry["toEntry"], work: () => Promise<T>): Promise<{ value: T; isRecorded: boolean }> {
  const pending: PendingEntry = { toEntry, state: "open" };
  const value = await requests.run(pending, work);
  return { value, isRecorded: pending.state !== "open" };
}

/** A storage whose transactions also write the entry of the request that they belong to. */
export function withAudit(storage: Storage): Storage {
  return {
    ...storage,
    async transaction(work, options) {
      const pending = requests.getStore();
      if (pending?.state !== "open") return storage.transaction(work, options);
      pending.state = "writing";
      try {
        const result = await storage.transaction(async (tx) => {
          const value = await work(tx);
          await tx.appendAuditEntry(pending.toEntry());
          return value;
        }, options);
        pending.state = "written";
        return result;
      } catch (error) {
        pending.state = "open";
        throw error;
      }
    },
  };
}
