import { createExternalStore, type ExternalStore } from "../state/external-store.ts";

/**
 * Changes of the user that the server has not confirmed. They are sent one after the other, and each one stays on screen until its
 * own answer has come: the answer to an earlier change knows nothing of a later one.
 */
export interface PendingChanges<Changes, Saved> {
  readonly pending: ExternalStore<readonly Changes[]>;
  /** Calls `onSaved` with the answer before the change is no longer pending. A failure takes the change back and is thrown. */
  save(changes: Changes, onSaved: (saved: Saved) => void): Promise<void>;
}

export function createPendingChanges<Changes, Saved>(send: (changes: Changes) => Promise<Saved>): PendingChanges<Changes, Saved> {
  const pending = createExternalStore<readonly Changes[]>([]);
  let last: Promise<unknown> = Promise.resolve();
  return {
    pending,
    async save(changes, onSaved) {
      pending.set([...pending.get(), changes]);
      const sent = last.then(() => send(changes));
      last = sent.catch(() => {});
      try {
        onSaved(await sent);
      } finally {
        pending.set(pending.get().filter((other) => other !== changes));
      }
    },
  };
}
