import type { Task, TaskPriority, TaskStatus } from "@skein/contracts";
import type { MouseEvent } from "react";

/** Actions on tasks of a board, applied to the selection. */
export interface TaskActions {
  /** The user may only read the project: the others then say why. */
  isReadOnly: boolean;
  onClick(event: MouseEvent, task: Task): void;
  onSelect(task: Task, range: boolean): void;
  setStatus(tasks: readonly Task[], status: TaskStatus): void;
  setPriority(tasks: readonly Task[], priority: TaskPriority): void;
  addTag(tasks: readonly Task[], tag: string): void;
  setArchived(tasks: readonly Task[], archived: boolean): void;
  /** Starts tasks without an attempt. */
  start(tasks: readonly Task[]): void;
  /** Asks for confirmation. */
  remove(tasks: readonly Task[]): void;
}
