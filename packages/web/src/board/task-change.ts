import type { Task, UpdateTask } from "@skein/contracts";

/** The task as it was, and what is to be changed of it. */
export interface TaskChange {
  task: Task;
  changes: UpdateTask;
}

/** Puts every changed field back as it was. A changed status moves a task to the end of its column: its position is put back, too. */
export function toUndo(changes: readonly TaskChange[], saved: readonly Task[]): TaskChange[] {
  return changes.map(({ task, changes: made }) => {
    const changed = Object.entries(made).flatMap(([field, value]) => (value === undefined ? [] : [field as keyof UpdateTask]));
    if (made.status !== undefined) changed.push("position");
    const before: UpdateTask = Object.fromEntries(changed.map((field) => [field, task[field]]));
    return { task: saved.find(({ id }) => id === task.id) ?? task, changes: before };
  });
}

/** Each task with the tag; those that have it already are not changed. */
export function withTag(tasks: readonly Task[], tag: string): TaskChange[] {
  return tasks.filter(({ tags }) => !tags.includes(tag)).map((task) => ({ task, changes: { tags: [...task.tags, tag] } }));
}
