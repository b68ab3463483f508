import type { Task, TaskStatus } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import { clearInbox } from "./inbox-items.ts";

export async function changeTaskStatus(tx: StorageTransaction, input: { task: Task; status: TaskStatus; at: number }): Promise<Task> {
  const task: Task = { ...input.task, status: input.status, updatedAt: input.at };
  await tx.updateTask(task);
  await tx.appendEvent(
    { type: "task:status-changed", taskId: task.id, previousStatus: input.task.status, newStatus: input.status, task },
    input.at,
  );
  if (task.status === "done" || task.status === "cancelled") await clearInbox(tx, { taskId: task.id }, input.at);
  return task;
}
