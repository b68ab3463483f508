import { useEffect, useRef } from "react";
import { useExportText } from "../exporting/use-export-text.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

export interface FindFieldProps {
  text: string;
  count: number;
  /** From 1; 0 if nothing was found. */
  place: number;
  onChange(text: string): void;
  onStep(step: 1 | -1): void;
}

/** Finds text in rows that are not drawn, which the browser's own search does not: Ctrl/⌘+F leads here. */
export function FindField({ text, count, place, onChange, onStep }: FindFieldProps) {
  const words = useExportText().page;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "f" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      // a second time, the browser's own search opens
      if (document.activeElement === field.current) return;
      event.preventDefault();
      field.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <search className="mx-auto flex w-full max-w-3xl items-center gap-1 px-3 py-1 sm:px-6 print:hidden">
      <input
        aria-label={words.find}
        className="h-8 pointer-coarse:h-11 min-w-0 flex-1 rounded-md border border-line bg-canvas px-2.5 text-sm"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") onChange("");
        }}
        placeholder={words.find}
        ref={field}
        type="search"
        value={text}
      />
      <span className="min-w-14 text-center text-ink-faint text-xs tabular-nums" role="status">
        {text.trim() === "" ? "" : words.hits(place, count)}
      </span>
      <IconButton disabled={count === 0} label={words.previous} onClick={() => onStep(-1)}>
        <Icon name="arrowUp" size={14} />
      </IconButton>
      <IconButton disabled={count === 0} label={words.next} onClick={() => onStep(1)}>
        <Icon name="arrowDown" size={14} />
      </IconButton>
    </search>
  );
}
