import type { AuditEntry } from "@skein/contracts";
import type { Storage, StorageTransaction } from "@skein/engine";
import type { Logger } from "../logger.ts";
import { runAudited } from "./audit-alongside.ts";

export type AuditRecord = Omit<AuditEntry, "number" | "at">;

export interface Audit {
  /** Never rejects: what cannot be stored now, for example on a full disk, is kept and stored with the next entry. */
  append(entry: AuditRecord): Promise<void>;
  /** Runs what the entry reports, and writes the entry in its first transaction; after it, if it had none. */
  alongside<T>(toEntry: () => AuditRecord, work: () => Promise<T>, options: { isNeeded(): boolean }): Promise<T>;
  /** In the transaction of what it reports. */
  appendIn(tx: StorageTransaction, entry: AuditRecord): Promise<void>;
}

const maxKept = 10_000;

export function createAudit({ storage, now, logger }: { storage: Storage; now: () => number; logger: Logger }): Audit {
  let kept: Omit<AuditEntry, "number">[] = [];
  async function append(entry: AuditRecord): Promise<void> {
    const entries = [...kept, { ...entry, at: now() }];
    kept = [];
    try {
      await storage.transaction(async (tx) => {
        for (const one of entries) await tx.appendAuditEntry(one);
      });
    } catch (error) {
      logger.error("an audit entry could not be stored yet", { error, action: entry.action, outcome: entry.outcome });
      kept = [...entries, ...kept].slice(-maxKept);
    }
  }

  return {
    append,
    async alongside(toEntry, work, { isNeeded }) {
      const { value, isRecorded } = await runAudited(() => ({ ...toEntry(), at: now() }), work);
      if (!isRecorded && isNeeded()) await append(toEntry());
      return value;
    },
    appendIn: (tx, entry) => tx.appendAuditEntry({ ...entry, at: now() }),
  };
}
