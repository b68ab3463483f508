import type { DiffHunk } from "@skein/contracts";
import { type FocusEvent, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import type { DiffSide, LineKey, LinePlace } from "./line-place.ts";

/** What is drawn below the lines of a diff, and what happens when one is chosen. Only `keys` changes over time. */
export interface LineNotes {
  /** The lines that have something below them. */
  keys: ReadonlySet<LineKey>;
  draw(key: LineKey): ReactNode;
  /** `extend`: up to this line, from the one that was chosen before. */
  onPick(place: LinePlace, options: { extend: boolean }): void;
  pickLabel(place: LinePlace): string;
  /** How many of `keys` are on rows that are not shown yet. */
  hiddenLabel(count: number): string;
  /** Actions in the header of a hunk. With them, every hunk has a header. */
  drawHunk?: ((hunk: DiffHunk) => ReactNode) | undefined;
}

interface Shown {
  place: LinePlace;
  top: number;
  left: number;
}

const rowSelector = "tr[data-line]";

/**
 * One button that follows the pointer or the focus from line to line: a button in each would double what a long diff draws. Rows have
 * the focus in turn: arrow keys move it, `c` chooses the line, Shift extends.
 */
export function LinePicker({ notes, isSplit, children }: { notes: LineNotes; isSplit: boolean; children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const show = (row: HTMLTableRowElement, wanted: DiffSide) => {
    const place = toPlace(row, wanted);
    const cell = row.cells[isSplit ? (place?.side === "old" ? 0 : 2) : 2];
    const origin = area.current?.getBoundingClientRect();
    if (!place || !cell || !origin) return;
    const box = cell.getBoundingClientRect();
    setShown({ place, top: box.top - origin.top, left: box.left - origin.left });
  };
  const onPointerOver = (event: PointerEvent) => {
    const target = event.target as Element;
    const row = target.closest<HTMLTableRowElement>(rowSelector);
    const cell = target.closest("td");
    if (row) show(row, isSplit && cell && cell.cellIndex < 2 ? "old" : "new");
  };
  const onFocus = (event: FocusEvent) => {
    const target = event.target as HTMLTableRowElement;
    if (target.matches(rowSelector)) show(target, "new");
  };
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setShown(null);
  };
  const pick = (place: LinePlace, extend: boolean) => {
    setShown(null);
    notes.onPick(place, { extend });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = event.target as HTMLTableRowElement;
    if (event.ctrlKey || event.metaKey || event.altKey || !row.matches(rowSelector)) return;
    if (event.key.toLowerCase() === "c") {
      const place = toPlace(row, shown?.place.side ?? "new");
      if (place) pick(place, event.shiftKey);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      findNextRow(row, event.key === "ArrowDown" ? "nextElementSibling" : "previousElementSibling")?.focus();
    } else if (isSplit && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      show(row, event.key === "ArrowLeft" ? "old" : "new");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the rows inside, which have the focus
    <div
      className="relative"
      onBlur={onBlur}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      // a finger leaves before its tap is a click
      onPointerLeave={(event) => event.pointerType === "mouse" && setShown(null)}
      onPointerOver={onPointerOver}
      ref={area}
    >
      {children}
      {shown && (
        <button
          aria-label={notes.pickLabel(shown.place)}
          className="absolute z-[1] grid size-5 pointer-coarse:size-8 place-items-center rounded bg-accent text-accent-ink shadow-sm hover:bg-accent-strong"
          data-pick-line
          onClick={(event) => pick(shown.place, event.shiftKey)}
          style={{ top: shown.top, left: shown.left }}
          tabIndex={-1}
          title={notes.pickLabel(shown.place)}
          type="button"
        >
          <Icon name="plus" size={12} />
        </button>
      )}
    </div>
  );
}

/** The wanted side of the row, or the one that it has. */
function toPlace({ dataset }: HTMLElement, wanted: DiffSide): LinePlace | null {
  const side = dataset[wanted] !== undefined ? wanted : dataset.new !== undefined ? "new" : "old";
  const number = dataset[side];
  return number === undefined ? null : { side, line: Number(number) };
}

function findNextRow(row: HTMLElement, step: "nextElementSibling" | "previousElementSibling"): HTMLElement | null {
  const edge = step === "nextElementSibling" ? "firstElementChild" : "lastElementChild";
  let next: Element | null = row;
  while (next) {
    next = next[step] ?? next.parentElement?.[step]?.[edge] ?? null;
    if (next instanceof HTMLElement && next.matches(rowSelector)) return next;
  }
  return null;
}
