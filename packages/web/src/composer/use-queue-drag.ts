import type { QueuedMessageId } from "@skein/contracts";
import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from "react";

export interface QueueDrag {
  id: QueuedMessageId;
  /** How many of the others lie above it. */
  above: number;
  pointerId: number;
}

/** For the grip of a message. Mouse, pen and touch alike: HTML's own drag and drop knows no touch. */
export interface GripHandlers {
  onPointerDown(event: PointerEvent<HTMLElement>): void;
  onPointerMove(event: PointerEvent<HTMLElement>): void;
  onPointerUp(event: PointerEvent<HTMLElement>): void;
  onLostPointerCapture(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
}

/** `order` is what can be moved; each of them carries `data-queued` in the list. */
export function useQueueDrag(options: {
  list: RefObject<HTMLElement | null>;
  order: readonly QueuedMessageId[];
  onDrop(drag: QueueDrag): void;
}): { drag: QueueDrag | null; toGripHandlers(id: QueuedMessageId): GripHandlers } {
  const { list, order, onDrop } = options;
  const [held, setHeld] = useState<QueueDrag | null>(null);
  // A message that was sent while it was dragged is gone, and no event reports the release.
  const drag = held && order.includes(held.id) ? held : null;
  const measure = (id: QueuedMessageId, { pointerId, clientY }: PointerEvent): QueueDrag => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[data-queued]") ?? [])];
    const others = items.filter((item) => item.dataset.queued !== id);
    const above = others.filter((item) => {
      const { top, height } = item.getBoundingClientRect();
      return top + height / 2 < clientY;
    }).length;
    // A list that is longer than its box shows what lies beyond.
    others[above]?.scrollIntoView({ block: "nearest" });
    others[above - 1]?.scrollIntoView({ block: "nearest" });
    return { id, above, pointerId };
  };
  const toGripHandlers = (id: QueuedMessageId): GripHandlers => ({
    onPointerDown(event) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      // Not every browser gives a button the focus by a click; Escape is heard where the focus is.
      event.currentTarget.focus();
    },
    onPointerMove(event) {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) setHeld(measure(id, event));
    },
    onPointerUp(event) {
      if (drag) onDrop(measure(id, event));
    },
    onLostPointerCapture: () => setHeld(null),
    onKeyDown(event) {
      if (event.key !== "Escape" || !drag) return;
      event.preventDefault();
      event.currentTarget.releasePointerCapture(drag.pointerId);
      // A lost pointer capture is reported with the next move only.
      setHeld(null);
    },
  });
  return { drag, toGripHandlers };
}
