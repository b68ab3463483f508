import type { Task, TaskPriority, TaskStatus } from "@skein/contracts";
import type { MouseEvent } from "react";

/** What can be done with the tasks of a board; of several they are done with all that are selected. */
export interface TaskActions {
  onClick(event: MouseEvent, task: Task): void;
  onSelect(task: Task, range: boolean): void;
  setStatus(tasks: readonly Task[], status: TaskStatus): void;
  setPriority(tasks: readonly Task[], priority: TaskPriority): void;
  addTag(tasks: readonly Task[], tag: string): void;
  setArchived(tasks: readonly Task[], archived: boolean): void;
  /** Starts those that have no attempt yet. */
  start(tasks: readonly Task[]): void;
  /** Asks before it does. */
  remove(tasks: readonly Task[]): void;
}
