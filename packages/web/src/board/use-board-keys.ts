import type { Task, TaskId } from "@skein/contracts";
import type { KeyboardEvent, RefObject } from "react";
import { flushSync } from "react-dom";
import { canStart } from "../start/can-start.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import type { BoardColumn } from "./board-columns.ts";
import { type Direction, nextCard } from "./board-columns.ts";
import { statusOrder } from "./board-filters.ts";
import { lastTask } from "./last-task.ts";
import type { TaskActions } from "./task-actions.ts";

const directions: Record<string, Direction> = {
  ...{ ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" },
  ...{ k: "up", j: "down", h: "left", l: "right" },
};

export interface BoardKeysOptions {
  container: RefObject<HTMLElement | null>;
  /** The list is one column. */
  columns: readonly BoardColumn[];
  tasks: readonly Task[];
  selected: readonly Task[];
  actions: TaskActions;
  onMove(task: Task, direction: Direction): void;
  onClearSelection(): void;
  /** The card to focus when the focused one is moved or removed. */
  onKeep(taskId: TaskId): void;
  /** Requests that a card is drawn. */
  onWant(taskId: TaskId): void;
}

/** The keys of cards and rows. They apply to the selection, or else to the card that has the focus. */
export function useBoardKeys(options: BoardKeysOptions): {
  onKeyDown(event: KeyboardEvent): void;
  findCard(taskId: TaskId): HTMLElement | null;
} {
  const { container, columns, tasks, selected, actions } = options;
  const findCard = (taskId: TaskId) => container.current?.querySelector<HTMLElement>(`[data-task-id="${CSS.escape(taskId)}"]`) ?? null;
  // At once: the next key may come before the next frame.
  const focusCard = (taskId: TaskId) => {
    if (!findCard(taskId)) flushSync(() => options.onWant(taskId));
    findCard(taskId)?.focus();
  };
  const focusAny = () => {
    const card = tasks.find(({ id }) => id === lastTask.read()) ?? nextCard(columns, "", "down");
    if (card) focusCard(card.id);
  };
  useShortcut("ArrowDown", focusAny, { repeats: true });
  useShortcut("ArrowRight", focusAny, { repeats: true });
  useShortcut("j", focusAny, { repeats: true });
  useShortcut("k", focusAny, { repeats: true });
  useShortcut("Escape", options.onClearSelection, { enabled: selected.length > 0 });

  const act = (key: string, task: Task): boolean => {
    const targets = selected.length > 0 ? selected : [task];
    const status = /^[1-5]$/.test(key) ? statusOrder[Number(key) - 1] : undefined;
    if (status) {
      options.onKeep(task.id);
      actions.setStatus(targets, status);
    } else if (key === "s" && targets.some(canStart)) actions.start(targets);
    else if (key === "x") actions.onSelect(task, false);
    else if (key === "X") actions.onSelect(task, true);
    else if (key === "e") {
      // The card is removed: the next one gets the focus.
      const next = nextCard(columns, task.id, "down") ?? nextCard(columns, task.id, "up");
      if (next) options.onKeep(next.id);
      actions.setArchived(targets, !targets.every(({ archived }) => archived));
    } else if (key === "Delete" || key === "Backspace") actions.remove(targets);
    else return false;
    return true;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const card = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-task-id]") : null;
    const task = tasks.find(({ id }) => id === card?.dataset.taskId);
    if (!task || event.target !== card || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = directions[event.key];
    if (direction && event.shiftKey) options.onMove(task, direction);
    else if (direction) {
      const next = nextCard(columns, task.id, direction);
      if (next) focusCard(next.id);
    } else if (event.repeat || !act(event.key, task)) return;
    event.preventDefault();
  };
  return { onKeyDown, findCard };
}
