import type { Task, UpdateTask } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "../api/api.ts";
import { tasksQuery } from "../api/queries.ts";
import { setTask } from "../live/apply-event-to-cache.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { type TaskChange, toUndo } from "./task-change.ts";

/** Shown at once, saved together, and undone by the toast. When the server refuses, what it has is shown again. */
export function useChangeTasks(): (changes: readonly TaskChange[], said?: string) => Promise<void> {
  const client = useQueryClient();
  const describe = useErrorText();
  return useCallback(
    async function change(changes: readonly TaskChange[], said?: string): Promise<void> {
      if (changes.length === 0) return;
      for (const { task, changes: wanted } of changes) setTask(client, applyChanges(task, wanted));
      const saving = api.updateTasks({ updates: changes.map(({ task, changes: wanted }) => ({ id: task.id, changes: wanted })) });
      // At once, like the change itself: an undo that comes before the answer must be of this one, and waits for it.
      const undo = () =>
        void saving.then(
          (saved) => change(toUndo(changes, saved)),
          () => {},
        );
      if (said) showToast({ text: said, tone: "plain", undo });
      try {
        for (const task of await saving) setTask(client, task);
      } catch (error) {
        for (const { task } of changes) setTask(client, task);
        for (const id of new Set(changes.map(({ task }) => task.projectId)))
          void client.invalidateQueries({ queryKey: tasksQuery(id).queryKey });
        showToast({ text: describe(error), tone: "bad" });
      }
    },
    [client, describe],
  );
}

function applyChanges(task: Task, changes: UpdateTask): Task {
  return { ...task, ...(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<Task>) };
}
