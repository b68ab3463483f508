import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "../api/api.ts";
import { tasksQuery } from "../api/queries.ts";
import { setTask } from "../live/apply-event-to-cache.ts";
import { holdChanges } from "../live/held-changes.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { type TaskChange, toUndo } from "./task-change.ts";

// One after the other: two requests on their way may arrive in the wrong order.
let lastSaving: Promise<unknown> = Promise.resolve();

/** Shown at once, saved together, and undone by the toast. When the server refuses, what it has is shown again. */
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
      // At once, like the change itself: an undo that comes before the answer must be of this one, and waits for it.
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
