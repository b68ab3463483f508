import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useImperativeHandle, useRef, useState } from "react";
import { useDiscloser } from "../ui/disclosure.tsx";
import { type ConversationRow, findClosedRow, findRow } from "./conversation-rows.ts";
import { type Direction, findMarked, type MarkKind } from "./message-marks.ts";
import type { TaskConversation } from "./use-task-conversation.ts";

/** How far back a jump searches without being repeated. */
const maxPagesBack = 20;

export interface ConversationListHandle {
  /** Loads, scrolls to and marks a message. Rejects when it is not in the conversation. */
  reveal(messageId: string): Promise<void>;
  /** To the next or previous error or message of the user; false when there is none. */
  jump(kind: MarkKind, direction: Direction): Promise<boolean>;
}

export interface JumpOptions {
  handle: RefObject<ConversationListHandle | null>;
  conversation: TaskConversation;
  rows: readonly ConversationRow[];
  scroller: RefObject<HTMLElement | null>;
  virtualizer: Pick<Virtualizer<HTMLDivElement, Element>, "scrollToIndex">;
  /** A message that contains a search hit is opened. */
  findText: string;
  /** Called before the list is moved: from then on nothing else may move it. */
  onArrive(): void;
}

/** Scrolls to a message anywhere in the conversation, and keeps it in view while its neighbours are drawn and loaded. */
export function useJump(options: JumpOptions): { current: string | null; forget(): void } {
  const { handle, conversation, rows, scroller, virtualizer, findText, onArrive } = options;
  const disclose = useDiscloser();
  const [current, setCurrent] = useState<string | null>(null);
  const [wanted, setWanted] = useState<string | null>(null);

  // Once the rows contain the message.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is read as it is then
  useEffect(() => {
    const index = wanted === null ? -1 : findRow(rows, wanted);
    const row = rows[index];
    if (wanted === null) return;
    if (row === undefined) {
      const closed = findClosedRow(rows, wanted);
      if (closed) disclose(closed.key);
      return;
    }
    setWanted(null);
    setCurrent(wanted);
    onArrive();
    if (row.kind === "group") disclose(row.key);
    if (row.kind === "group" || findText !== "") disclose(wanted);
    virtualizer.scrollToIndex(index, { align: "center" });
  }, [wanted, rows]);

  // Exactly, when its height and that of its neighbours are known; pages that are added meanwhile may move it out of view.
  const shownRows = useRef(rows);
  shownRows.current = rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message that is gone to
  useEffect(() => {
    if (current === null) return;
    let [frame, tries, drawn] = [0, 0, 0];
    const settle = (): void => {
      const element = scroller.current?.querySelector(`[data-message-id="${CSS.escape(current)}"]`);
      const index = element ? -1 : findRow(shownRows.current, current);
      if (element && drawn < 2) element.scrollIntoView({ block: "center" });
      if (index >= 0) virtualizer.scrollToIndex(index, { align: "center" });
      drawn = element ? drawn + 1 : 0;
      if (drawn < 10 && ++tries < 120) frame = requestAnimationFrame(settle);
    };
    frame = requestAnimationFrame(settle);
    return () => cancelAnimationFrame(frame);
  }, [current]);

  const latest = useRef(conversation);
  useEffect(() => {
    latest.current = conversation;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scroller is one for good
  useImperativeHandle(handle, () => {
    const reveal = async (messageId: string): Promise<void> => {
      await latest.current.showAround(messageId);
      setWanted(messageId);
    };
    return {
      reveal,
      async jump(kind, direction) {
        const from = current ?? (direction === "next" ? firstIn(scroller.current) : null);
        for (let pages = 0; ; pages++) {
          const { messages, hasMore: more } = latest.current.peek();
          const found = findMarked(messages, { kind, direction, from });
          if (found) {
            await reveal(found.id);
            return true;
          }
          if (direction === "next" || !more || pages >= maxPagesBack) return false;
          await latest.current.loadOlder();
        }
      },
    };
  }, [current]);

  const forget = useCallback(() => setCurrent(null), []);
  return { current, forget };
}

/** The first message that is wholly in view. */
function firstIn(scroller: HTMLElement | null): string | null {
  const top = scroller?.getBoundingClientRect().top ?? 0;
  const inView = [...(scroller?.querySelectorAll("[data-message-id]") ?? [])].find((element) => element.getBoundingClientRect().top >= top);
  return inView?.getAttribute("data-message-id") ?? null;
}
