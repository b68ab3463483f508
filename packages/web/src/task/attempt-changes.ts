import type { Attempt, AttemptId, UpdateAttempt } from "@skein/contracts";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/api.ts";
import { attemptsQuery } from "../api/queries.ts";
import { useStore } from "../state/external-store.ts";
import { createPendingChanges, type PendingChanges } from "../state/pending-changes.ts";
import { addAttempt } from "./add-attempt.ts";

const queues = new Map<AttemptId, PendingChanges<UpdateAttempt, Attempt>>();

/** The changes of one attempt that are on their way. */
export function findAttemptChanges(id: AttemptId): PendingChanges<UpdateAttempt, Attempt> {
  const known = queues.get(id) ?? createPendingChanges((changes: UpdateAttempt) => api.updateAttempt(id, changes));
  queues.set(id, known);
  return known;
}

export function applyAttemptChanges(attempt: Attempt, changes: UpdateAttempt): Attempt {
  return Object.assign({}, attempt, changes);
}

/** Shown at once, sent in order. Rejects when the server refuses; the attempt is then shown as the server has it. */
export function saveAttempt(client: QueryClient, { id, taskId }: Attempt, changes: UpdateAttempt): Promise<void> {
  return findAttemptChanges(id).save(changes, (saved) =>
    client.setQueryData(attemptsQuery(taskId).queryKey, (known) => addAttempt(known, saved)),
  );
}

/** An attempt with the changes that are on their way. */
export function useAttemptChanges(attempt: Attempt): { attempt: Attempt; save(changes: UpdateAttempt): Promise<void> } {
  const client = useQueryClient();
  const pending = useStore(findAttemptChanges(attempt.id).pending);
  return { attempt: pending.reduce(applyAttemptChanges, attempt), save: (changes) => saveAttempt(client, attempt, changes) };
}
