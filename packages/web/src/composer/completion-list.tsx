import { useEffect, useRef } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { Icon } from "../ui/icon.tsx";
import type { Completion } from "./find-completion.ts";
import type { CompletionOption } from "./use-completions.ts";

export interface CompletionListProps {
  id: string;
  kind: Completion["kind"];
  options: readonly CompletionOption[];
  active: number;
  onChoose(value: string): void;
  /** Below the text and part of the page: in a dialog, what hangs over its edge is cut off. */
  inFlow?: boolean;
}

export const optionId = (id: string, index: number): string => `${id}-${index}`;

/** Above the field, or below its text. The focus stays in the field; the keys are read there. */
export function CompletionList({ id, kind, options, active, onChoose, inFlow = false }: CompletionListProps) {
  const { composer: text } = useTaskText().taskPage;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div
      aria-label={kind === "file" ? text.files : text.commands}
      className={`scroll-quiet overflow-y-auto border p-1 ${inFlow ? "mx-2 mb-1 max-h-40 rounded-lg border-line" : "absolute inset-x-0 bottom-full z-20 mb-1 max-h-64 rounded-xl border-line-strong/60 bg-raised shadow-pop"}`}
      id={id}
      ref={list}
      role="listbox"
    >
      {options.map(({ value, hint }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are read in the field
        <div
          aria-selected={index === active}
          className="flex min-h-8 pointer-coarse:min-h-10 cursor-default items-center gap-2 rounded-md px-2 text-sm aria-selected:bg-hover"
          id={optionId(id, index)}
          key={value}
          onClick={() => onChoose(value)}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          role="option"
          tabIndex={-1}
        >
          <Icon className="text-ink-faint" name={kind === "command" ? "bolt" : value.endsWith("/") ? "folder" : "file"} size={14} />
          {kind === "command" ? <span className="font-medium">/{value}</span> : <FilePath path={value} />}
          {hint && <span className="min-w-0 truncate text-ink-faint">{hint}</span>}
        </div>
      ))}
    </div>
  );
}

/** The name first: in a narrow list the folder is what is cut. */
function FilePath({ path }: { path: string }) {
  const end = path.lastIndexOf("/", path.length - 2) + 1;
  return (
    <>
      <span className="shrink-0">{path.slice(end)}</span>
      <span className="min-w-0 truncate text-ink-faint text-xs" dir="ltr">
        {path.slice(0, end)}
      </span>
    </>
  );
}
