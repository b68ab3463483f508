import type { Task, TaskId } from "@skein/contracts";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { type BoardColumn, type CardPlace, limitPlace, moveCard, placeCards } from "./board-columns.ts";
import type { BoardView } from "./board-view.ts";
import { listMoved, toMoveMessage } from "./card-moves.ts";
import type { TaskActions } from "./task-actions.ts";
import type { TaskChange } from "./task-change.ts";
import { useBoardKeys } from "./use-board-keys.ts";
import { useCardDrag } from "./use-card-drag.ts";

export interface CardMovesOptions {
  container: RefObject<HTMLDivElement | null>;
  view: BoardView;
  /** Cards stay where they are. */
  isReadOnly: boolean;
  columns: readonly BoardColumn[];
  /** What the keys move through: the columns, or the list as one. */
  rows: readonly BoardColumn[];
  shown: readonly Task[];
  selected: readonly Task[];
  selectedIds: ReadonlySet<TaskId>;
  actions: TaskActions;
  change(changes: readonly TaskChange[], toast?: string): Promise<void>;
  onClearSelection(): void;
}

/** Moves cards by pointer and by key, and keeps the focus on a card that moved. */
export function useCardMoves(options: CardMovesOptions) {
  const { container, view, columns, rows, shown, selected, selectedIds, actions, change, isReadOnly, onClearSelection } = options;
  const text = useText();
  const [announcement, setAnnouncement] = useState("");
  /** The card that must be drawn, however far down it is. */
  const [wanted, setWanted] = useState<TaskId | null>(null);
  const moved = useRef<TaskId | null>(null);

  const place = (cards: readonly Task[], wantedPlace: CardPlace) => {
    const to = limitPlace(columns, cards, wantedPlace);
    const message = toMoveMessage(cards, to, text);
    setAnnouncement(message.announcement);
    void change(placeCards(columns, cards, to), message.toast);
  };
  const { drag, onPointerDown } = useCardDrag({
    board: container,
    limit: (taskId, to) => limitPlace(columns, listMoved(columns, taskId, selectedIds), to),
    count: (taskId) => listMoved(columns, taskId, selectedIds).length,
    onDrop: ({ taskId, ...to }) => {
      const cards = listMoved(columns, taskId, selectedIds);
      if (cards.length > 0) place(cards, to);
    },
  });
  const keepFocus = (taskId: TaskId) => {
    moved.current = taskId;
    setWanted(taskId);
  };
  const { onKeyDown, findCard } = useBoardKeys({
    ...{ container, columns: rows, tasks: shown, selected, actions, onClearSelection },
    onWant: setWanted,
    onKeep: keepFocus,
    onMove(task, direction) {
      const to = view === "board" && !isReadOnly ? moveCard(columns, task.id, direction) : null;
      if (!to) return;
      keepFocus(task.id);
      place([task], to);
    },
  });

  // A card that is put elsewhere in the page loses the focus. It has it again before the next key can come.
  useLayoutEffect(() => {
    if (moved.current && document.activeElement === document.body) findCard(moved.current)?.focus();
    // The focus is elsewhere by now.
    else if (!document.activeElement?.matches("[data-task-id]")) moved.current = null;
  });
  return {
    drag,
    onPointerDown: isReadOnly ? undefined : onPointerDown,
    onKeyDown,
    announcement,
    wanted,
    forgetWanted: () => setWanted(null),
  };
}
