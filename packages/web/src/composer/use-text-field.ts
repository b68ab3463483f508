import { type KeyboardEvent, type RefObject, useEffect, useState } from "react";
import type { FilePlace } from "../api/attempt-api.ts";
import { applyCompletion, type Completion, findCompletion } from "./find-completion.ts";
import { atDraft, stepHistory } from "./sent-history.ts";
import { type CompletionOption, useCompletions } from "./use-completions.ts";

export interface TextField {
  /** The current completions; empty while nothing is being completed. */
  options: readonly CompletionOption[];
  kind: Completion["kind"] | null;
  active: number;
  onType(value: string, caret: number): void;
  /** The caret was moved without typing. */
  onCaret(value: string, caret: number): void;
  /** True when the list or the history has handled the key. */
  onKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean;
  complete(value: string): void;
  /** Back to what is being typed, with no list. */
  reset(): void;
}

/** Completion and history of a field whose text is kept by the caller. The focus never leaves the field. */
export function useTextField(input: {
  field: RefObject<HTMLTextAreaElement | null>;
  place: FilePlace;
  sent: readonly string[];
  text: string;
  onText(text: string): void;
}): TextField {
  const { field, text, onText } = input;
  const [completion, setCompletion] = useState<Completion | null>(null);
  const [chosen, setChosen] = useState(0);
  const [historyPlace, setHistoryPlace] = useState(atDraft);
  // What was sent is gone from the field: the next arrow starts at the newest message again.
  useEffect(() => {
    if (text !== "") return;
    setHistoryPlace(atDraft);
    setCompletion(null);
  }, [text]);
  const found = useCompletions(input.place, completion);
  const options = completion === null ? [] : found;
  const active = Math.min(chosen, options.length - 1);

  /** React sets the text first: the caret goes where it belongs after that. */
  const replace = (value: string, caret: number) => {
    onText(value);
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret));
  };
  const complete = (value: string) => {
    if (!completion) return;
    const done = applyCompletion(text, completion, value);
    replace(done.text, done.caret);
    setCompletion(value.endsWith("/") ? findCompletion(done.text, done.caret) : null);
    setChosen(0);
    field.current?.focus();
  };
  const onListKey = (event: KeyboardEvent): boolean => {
    if (options.length === 0 || event.nativeEvent.isComposing) return false;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const accepts = event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey);
    if (by !== undefined) setChosen((active + by + options.length) % options.length);
    else if (accepts) complete(options[active]?.value ?? "");
    else if (event.key === "Escape") setCompletion(null);
    else return false;
    return true;
  };
  /** At the beginning or the end of the text: in between, the arrows move the caret. */
  const onHistoryKey = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || selectionStart !== selectionEnd) return false;
    const isRecalled = historyPlace.place !== -1;
    const older = event.key === "ArrowUp" && (selectionStart === 0 || (isRecalled && !value.slice(0, selectionStart).includes("\n")));
    const newer = event.key === "ArrowDown" && isRecalled && !value.slice(selectionEnd).includes("\n");
    const step = older || newer ? stepHistory(input.sent, historyPlace, older ? "older" : "newer", text) : null;
    if (!step) return false;
    setHistoryPlace(step.at);
    replace(step.text, step.text.length);
    return true;
  };
  return {
    options,
    kind: completion?.kind ?? null,
    active,
    complete,
    onType(value, caret) {
      onText(value);
      setHistoryPlace(atDraft);
      setCompletion(findCompletion(value, caret));
      setChosen(0);
    },
    onCaret(value, caret) {
      if (completion && caret !== completion.to) setCompletion(findCompletion(value, caret));
    },
    onKey: (event) => onListKey(event) || onHistoryKey(event),
    reset() {
      setHistoryPlace(atDraft);
      setCompletion(null);
    },
  };
}
