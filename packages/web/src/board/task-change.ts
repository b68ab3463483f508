import type { Task, UpdateTask } from "@skein/contracts";

/** The task as it was, and what is to be changed of it. */
export interface TaskChange {
  task: Task;
  changes: UpdateTask;
}

/** What puts every changed field back as it was; a field that was not changed is left alone. A move is undone with its place. */
export function toUndo(changes: readonly TaskChange[], saved: readonly Task[]): TaskChange[] {
  return changes.map(({ task, changes: made }) => {
    const before: UpdateTask = {
      ...(made.status === undefined ? {} : { status: task.status, position: task.position }),
      ...(made.position === undefined ? {} : { position: task.position }),
      ...(made.priority === undefined ? {} : { priority: task.priority }),
      ...(made.tags === undefined ? {} : { tags: task.tags }),
      ...(made.archived === undefined ? {} : { archived: task.archived }),
    };
    return { task: saved.find(({ id }) => id === task.id) ?? task, changes: before };
  });
}

/** Each task with the tag; those that have it already are not changed. */
export function withTag(tasks: readonly Task[], tag: string): TaskChange[] {
  return tasks.filter(({ tags }) => !tags.includes(tag)).map((task) => ({ task, changes: { tags: [...task.tags, tag] } }));
}
