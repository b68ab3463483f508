import type { Task, UpdateTask } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "../api/api.ts";
import { taskQuery, tasksQuery } from "../api/queries.ts";
import { setTask } from "../live/apply-event-to-cache.ts";
import { holdChanges } from "../live/held-changes.ts";

/** Shows changes at once. When the server refuses, shows its state again and rejects. */
export function useUpdateTask(): (task: Task, changes: UpdateTask) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (task, changes) => {
      const release = holdChanges(task.id, changes);
      setTask(client, task);
      try {
        const saved = await api.updateTask(task.id, changes);
        release();
        setTask(client, saved);
      } catch (error) {
        release();
        void client.invalidateQueries({ queryKey: taskQuery(task.id).queryKey });
        void client.invalidateQueries({ queryKey: tasksQuery(task.projectId).queryKey });
        throw error;
      }
    },
    [client],
  );
}
