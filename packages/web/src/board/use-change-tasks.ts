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
      try {
        const saved = await api.updateTasks({ updates: changes.map(({ task, changes: wanted }) => ({ id: task.id, changes: wanted })) });
        for (const task of saved) setTask(client, task);
        if (said) showToast({ text: said, tone: "plain", undo: () => void change(toUndo(changes, saved)) });
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
