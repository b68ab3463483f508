import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { BoardColumn, HeldColumn } from "./board-columns.ts";

/** A pointer that has rested for this long is not about to click: the order may change again. */
const restMs = 10_000;

/** Keeps the order of the column that the pointer is in, so that no card moves away from under it when an agent starts or ends. */
export function useHeldColumn() {
  const [held, setHeld] = useState<HeldColumn | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = () => {
    clearTimeout(timer.current);
    setHeld(null);
  };
  const onPointerMove = ({ target }: PointerEvent, columns: readonly BoardColumn[]) => {
    const status = target instanceof Element ? target.closest<HTMLElement>("[data-column]")?.dataset.column : undefined;
    const column = columns.find((known) => known.status === status);
    if (!column) return release();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHeld(null), restMs);
    if (held?.status !== column.status) setHeld({ status: column.status, active: [...column.active] });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { held, onPointerMove, release };
}
