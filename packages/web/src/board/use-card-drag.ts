import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { CardPlace } from "./board-columns.ts";
import { findCardPlace, scrollNearEdges } from "./card-place.ts";
import { createDragImage } from "./drag-image.ts";

export interface CardDrag extends CardPlace {
  taskId: string;
}

const mouseDistance = 5;
const touchDelayMs = 260;
const touchSlack = 10;

/**
 * Mouse, pen and touch alike. A finger that moves at once scrolls; one that rests on a card picks it up. HTML's own
 * drag and drop knows no touch.
 */
export function useCardDrag(options: {
  board: RefObject<HTMLElement | null>;
  count(taskId: string): number;
  /** Where a card that is dropped at the place is shown. */
  limit(taskId: string, place: CardPlace): CardPlace;
  onDrop(drag: CardDrag): void;
}): {
  drag: CardDrag | null;
  onPointerDown(event: ReactPointerEvent): void;
} {
  const [drag, setDrag] = useState<CardDrag | null>(null);
  const latest = useRef(options);
  const cancel = useRef<() => void>(() => {});
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => () => cancel.current(), []);

  const onPointerDown = (down: ReactPointerEvent) => {
    const target = down.target instanceof Element ? down.target : null;
    const card = target?.closest<HTMLElement>("[data-task-id]");
    const taskId = card?.dataset.taskId;
    const board = options.board.current;
    if (!card || !taskId || !board || down.button !== 0 || down.shiftKey || down.ctrlKey || down.metaKey) return;
    cancel.current();
    const isTouch = down.pointerType === "touch";
    const start = { x: down.clientX, y: down.clientY };
    let at = start;
    let image: ReturnType<typeof createDragImage> | null = null;
    let place: CardPlace | null = null;
    let frame = 0;
    const listening = new AbortController();
    const listen = <Type extends keyof WindowEventMap>(type: Type, listener: (event: WindowEventMap[Type]) => void) =>
      addEventListener(type, listener, { signal: listening.signal, passive: false, capture: true });

    const follow = () => {
      image?.moveTo(at);
      scrollNearEdges(board, at);
      const found = findCardPlace(board, at, taskId);
      const next = found && latest.current.limit(taskId, found);
      if (next && (next.status !== place?.status || next.index !== place.index)) {
        place = next;
        setDrag({ taskId, ...next });
      }
      frame = requestAnimationFrame(follow);
    };
    const begin = () => {
      image = createDragImage(card, start, latest.current.count(taskId));
      if (isTouch) navigator.vibrate?.(10);
      follow();
    };
    const end = (drop: boolean) => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      listening.abort();
      cancel.current = () => {};
      if (!image) return;
      image.remove();
      setDrag(null);
      // The click that ends a drag must not open the task.
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
      if (drop && place) latest.current.onDrop({ taskId, ...place });
    };
    cancel.current = () => end(false);
    const timer = isTouch ? setTimeout(begin, touchDelayMs) : undefined;

    listen("pointermove", (event) => {
      if (event.pointerId !== down.pointerId) return;
      at = { x: event.clientX, y: event.clientY };
      const distance = Math.hypot(at.x - start.x, at.y - start.y);
      if (!image && isTouch && distance > touchSlack) end(false);
      else if (!image && !isTouch && distance > mouseDistance) begin();
    });
    listen("pointerup", () => end(true));
    listen("pointercancel", () => end(false));
    listen("keydown", (event) => {
      if (event.key !== "Escape" || !image) return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
    });
    // Once a card is picked up the finger must not scroll the page any more.
    listen("touchmove", (event) => image && event.preventDefault());
    listen("contextmenu", (event) => isTouch && event.preventDefault());
  };
  return { drag, onPointerDown };
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
