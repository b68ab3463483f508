import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useTaskText } from "../i18n/task-text.ts";

export interface PaneSeparatorProps {
  /** Share of the pane after it, in percent. */
  value: number;
  min: number;
  max: number;
  onChange(value: number): void;
  /** Back to where it stood at first. */
  onReset(): void;
  controls: string;
}

const step = 2;

/** Moved by pointer, by the arrow keys, Home and End; a double click puts it back. */
export function PaneSeparator({ value, min, max, onChange, onReset, controls }: PaneSeparatorProps) {
  const { panes: text } = useTaskText().taskPage;
  const bounds = useRef<{ left: number; width: number } | null>(null);
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next)) * 10) / 10);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: value + step, ArrowRight: value - step, Home: max, End: min, Enter: undefined }[event.key];
    if (event.key === "Enter") onReset();
    else if (next === undefined) return;
    else set(next);
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const row = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!row || event.button !== 0) return;
    bounds.current = row;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const row = bounds.current;
    if (row) set(((row.left + row.width - event.clientX) / row.width) * 100);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that is moved is no <hr>
    <div
      aria-controls={controls}
      aria-label={text.separator}
      aria-orientation="vertical"
      aria-valuemax={max}
      aria-valuemin={min}
      aria-valuenow={Math.round(value)}
      className="group/separator relative w-px shrink-0 cursor-col-resize touch-none bg-line focus-visible:outline-none max-lg:hidden"
      onDoubleClick={onReset}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      // also where the browser takes the pointer away: a drag that did not end would follow the pointer for ever
      onLostPointerCapture={() => {
        bounds.current = null;
      }}
      role="separator"
      tabIndex={0}
    >
      <span className="-inset-x-1 absolute inset-y-0 z-10 transition-colors group-hover/separator:bg-accent/25 group-focus-visible/separator:bg-accent/60 group-active/separator:bg-accent/40" />
    </div>
  );
}
