import type { Task, TaskStatus } from "@skein/contracts";
import { useEffect, useMemo, useRef } from "react";
import { useText } from "../i18n/locale.tsx";
import { canStart } from "../start/can-start.ts";
import { useStartTask } from "../start/use-start.ts";
import { showToast } from "../ui/toast.ts";
import { type BoardColumn, placeCards } from "./board-columns.ts";
import { nothingSelected, type Selection, selectRange, toggleSelected } from "./selection.ts";
import type { TaskActions } from "./task-actions.ts";
import { type TaskChange, withTag } from "./task-change.ts";

export interface TaskActionsOptions {
  isReadOnly: boolean;
  columns: readonly BoardColumn[];
  /** In the order on the screen. */
  order: readonly Task["id"][];
  selection: Selection;
  setSelection(selection: Selection): void;
  change(changes: readonly TaskChange[], said?: string): Promise<void>;
  onRemove(tasks: readonly Task[]): void;
}

/** The same object for as long as the board is open, so that cards are not redrawn because of a new handler. */
export function useTaskActions(options: TaskActionsOptions): TaskActions {
  const text = useText();
  const start = useStartTask();
  const latest = useRef({ ...options, text, start });
  useEffect(() => {
    latest.current = { ...options, text, start };
  });
  const { isReadOnly } = options;
  return useMemo((): TaskActions => {
    const refuse = () => showToast({ text: latest.current.text.team.readOnly, tone: "plain" });
    const refused = { setStatus: refuse, setPriority: refuse, addTag: refuse, setArchived: refuse, start: refuse, remove: refuse };
    const named = (tasks: readonly Task[]): string =>
      tasks.length === 1 ? (tasks[0]?.title ?? "") : latest.current.text.board.count(tasks.length);
    const select = (next: Selection) => latest.current.setSelection(next);
    return {
      isReadOnly,
      onClick(event, task) {
        const { selection, order } = latest.current;
        if (event.shiftKey) select(selectRange(selection, order, task.id));
        else if (event.ctrlKey || event.metaKey) {
          // Without a selection it is left to the browser: a new tab.
          if (selection.ids.size === 0) return;
          select(toggleSelected(selection, task.id));
        } else return;
        event.preventDefault();
      },
      onSelect(task, range) {
        const { selection, order } = latest.current;
        select(range ? selectRange(selection, order, task.id) : toggleSelected(selection, task.id));
      },
      setStatus(tasks, status: TaskStatus) {
        const { columns, change, text: words } = latest.current;
        const moving = tasks.filter((task) => task.status !== status);
        const place = { status, index: Number.MAX_SAFE_INTEGER };
        void change(placeCards(columns, moving, place), words.board.moved(named(moving), words.status[status]));
      },
      setPriority(tasks, priority) {
        const { change, text: words } = latest.current;
        const changed = tasks.filter((task) => task.priority !== priority);
        void change(
          changed.map((task) => ({ task, changes: { priority } })),
          words.board.prioritySet(named(changed), words.priority[priority]),
        );
      },
      addTag(tasks, tag) {
        const { change, text: words } = latest.current;
        void change(withTag(tasks, tag), words.board.tagged(named(tasks), tag));
      },
      setArchived(tasks, archived) {
        const { change, text: words } = latest.current;
        const changed = tasks.filter((task) => task.archived !== archived);
        void change(
          changed.map((task) => ({ task, changes: { archived } })),
          archived ? words.board.archivedToast(named(changed)) : words.board.unarchivedToast(named(changed)),
        );
        select(nothingSelected);
      },
      start(tasks) {
        for (const task of tasks.filter(canStart)) void latest.current.start(task);
        select(nothingSelected);
      },
      remove: (tasks) => latest.current.onRemove(tasks),
      ...(isReadOnly ? refused : {}),
    };
  }, [isReadOnly]);
}
