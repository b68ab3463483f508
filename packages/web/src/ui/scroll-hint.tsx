import type { RefObject } from "react";
import { Icon } from "./icon.tsx";

export interface ScrollHintProps {
  scrolled: RefObject<HTMLElement | null>;
  side: "start" | "end";
  className?: string;
}

/** Shows at its edge that a row continues, and scrolls it. The keyboard reaches everything in the row without it. */
export function ScrollHint({ scrolled, side, className = "inset-y-0" }: ScrollHintProps) {
  const look = side === "start" ? "left-0 bg-linear-to-r pe-4" : "right-0 bg-linear-to-l ps-4";
  const scroll = (): void => scrolled.current?.scrollBy({ left: (side === "start" ? -1 : 1) * scrolled.current.clientWidth * 0.6 });
  return (
    <button
      aria-hidden="true"
      className={`absolute flex items-center from-60% from-canvas to-transparent text-ink-soft hover:text-ink ${look} ${className}`}
      data-scroll-hint={side}
      onClick={scroll}
      tabIndex={-1}
      type="button"
    >
      <Icon className={side === "start" ? "rotate-180" : ""} name="chevronRight" size={14} />
    </button>
  );
}
