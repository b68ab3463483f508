import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "../api/api.ts";
import { tasksQuery } from "../api/queries.ts";
import { setTask } from "../live/apply-event-to-cache.ts";
import { holdChanges } from "../live/held-changes.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { type TaskChange, toUndo } from "./task-change.ts";

// One at a time: two concurrent requests may arrive in the wrong order.
let lastSaving: Promise<unknown> = Promise.resolve();

/** Shows changes at once, saves them together, and offers an undo in a toast. When the server refuses, shows its state again. */
export function useChangeTasks(): (changes: readonly TaskChange[], said?: string) => Promise<void> {
  const client = useQueryClient();
  const describe = useErrorText();
  return useCallback(
    async function change(changes: readonly TaskChange[], said?: string): Promise<void> {
      if (changes.length === 0) return;
      const releases = changes.map(({ task, changes: wanted }) => holdChanges(task.id, wanted));
      const release = () => {
        for (const one of releases) one();
      };
      for (const { task } of changes) setTask(client, task);
      const updates = changes.map(({ task, changes: wanted }) => ({ id: task.id, changes: wanted }));
      const saving = lastSaving.then(() => api.updateTasks({ updates }));
      lastSaving = saving.catch(() => {});
      // Shown at once, like the change itself: an undo before the answer is of this change, and waits for the answer.
      const undo = () =>
        void saving.then(
          (saved) => change(toUndo(changes, saved)),
          () => {},
        );
      if (said) showToast({ text: said, tone: "plain", undo });
      try {
        const saved = await saving;
        release();
        for (const task of saved) setTask(client, task);
      } catch (error) {
        release();
        for (const { task } of changes) setTask(client, task);
        for (const id of new Set(changes.map(({ task }) => task.projectId)))
          void client.invalidateQueries({ queryKey: tasksQuery(id).queryKey });
        showToast({ text: describe(error), tone: "bad" });
      }
    },
    [client, describe],
  );
}
