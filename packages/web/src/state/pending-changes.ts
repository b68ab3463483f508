import { createExternalStore, type ExternalStore } from "./external-store.ts";

/**
 * Changes that the server has not confirmed. They are sent in order, one at a time, and each is shown until its own answer arrives:
 * the answer to an earlier change does not contain a later one.
 */
export interface PendingChanges<Changes, Saved> {
  readonly pending: ExternalStore<readonly Changes[]>;
  /** Calls `onSaved` with the answer, then removes the change from `pending`. Rejects, and removes it, when sending fails. */
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
