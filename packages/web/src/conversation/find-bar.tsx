import type { AttemptId } from "@skein/contracts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { attemptApi } from "../api/attempt-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { useDebounced } from "../ui/use-debounced.ts";

export interface FindBarProps {
  attemptId: AttemptId;
  /** Changes with the conversation, so that new messages are searched, too. */
  newestId: string | undefined;
  onText(text: string): void;
  onHit(messageId: string): void;
  onClose(): void;
}

/** Searches every message of the attempt, also those that are not loaded. Enter goes down, Shift+Enter up, both around. */
export function FindBar({ attemptId, newestId, onText, onHit, onClose }: FindBarProps) {
  const { find: text } = useTaskText().taskPage;
  const format = useFormats();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [current, setCurrent] = useState<string | null>(null);
  const wanted = useDebounced(typed.trim(), 150);
  const { data, isFetching } = useQuery({
    queryKey: ["find", attemptId, wanted, newestId],
    queryFn: ({ signal }) => attemptApi.find(attemptId, wanted, signal),
    enabled: wanted !== "",
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  const hits = wanted === "" ? [] : (data?.messageIds ?? []);
  const place = current === null ? -1 : hits.indexOf(current);

  useEffect(() => field.current?.focus(), []);
  useEffect(() => onText(wanted), [onText, wanted]);
  // The newest hit first: a conversation is read from its end.
  const newestHit = data && !isFetching ? hits.at(-1) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text starts over
  useEffect(() => {
    if (newestHit !== undefined) show(newestHit);
  }, [wanted, newestHit !== undefined]);

  function show(id: string): void {
    setCurrent(id);
    onHit(id);
  }
  const step = (by: 1 | -1) => {
    const next = hits.at((place + by) % hits.length);
    if (next !== undefined) show(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
  };
  const total = data?.truncated ? `${format.number(hits.length)}+` : format.number(hits.length);
  return (
    <search
      aria-label={text.label}
      className="absolute end-3 top-2 z-10 flex min-h-10 items-center gap-1 rounded-lg border border-line-strong bg-raised ps-2.5 pe-1 shadow-pop max-sm:start-3"
      onKeyDown={onKeyDown}
    >
      {isFetching ? <Spinner className="text-ink-faint" size={14} /> : <Icon className="text-ink-faint" name="search" size={14} />}
      <input
        aria-label={text.label}
        autoComplete="off"
        className="w-44 min-w-0 bg-transparent px-1 text-sm outline-none placeholder:text-ink-faint max-sm:flex-1"
        maxLength={500}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={text.placeholder}
        ref={field}
        spellCheck={false}
        value={typed}
      />
      <span aria-live="polite" className="whitespace-nowrap px-1 text-ink-faint text-xs tabular-nums">
        {wanted !== "" && data && (hits.length === 0 ? text.none : text.count(place + 1, total))}
      </span>
      <IconButton disabled={hits.length === 0} label={text.previous} onClick={() => step(-1)}>
        <Icon name="arrowUp" size={14} />
      </IconButton>
      <IconButton disabled={hits.length === 0} label={text.next} onClick={() => step(1)}>
        <Icon name="arrowDown" size={14} />
      </IconButton>
      <IconButton label={text.close} onClick={onClose}>
        <Icon name="cross" size={14} />
      </IconButton>
    </search>
  );
}
