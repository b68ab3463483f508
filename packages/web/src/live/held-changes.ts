import type { Task, TaskId, UpdateTask } from "@skein/contracts";

const held = new Map<TaskId, UpdateTask[]>();

/**
 * Keeps an unconfirmed change on the screen, whatever arrives meanwhile: the answer to an earlier change does not contain a later
 * one. Returns a function that releases it.
 */
export function holdChanges(id: TaskId, changes: UpdateTask): () => void {
  held.set(id, [...(held.get(id) ?? []), changes]);
  return () => {
    const left = (held.get(id) ?? []).filter((other) => other !== changes);
    if (left.length === 0) held.delete(id);
    else held.set(id, left);
  };
}

export function withHeldChanges<Known extends Task>(task: Known): Known {
  const changes = (held.get(task.id) ?? []).flatMap((one) => Object.entries(one).filter(([, value]) => value !== undefined));
  return changes.length === 0 ? task : { ...task, ...Object.fromEntries(changes) };
}
