import { toTaskTitle } from "@skein/engine";
import type { Draft } from "../composer/draft.ts";

/** The draft of a new task. */
export interface NewTaskDraft extends Draft {
  /** Empty: made from the text. */
  title: string;
}

export const emptyTaskDraft: NewTaskDraft = { title: "", text: "", images: [] };

/** The title that was written, else the first words of the text. A message of images alone has no words: `untitled`. */
export function toNewTitle({ title, text }: NewTaskDraft, untitled: string): string {
  return title.trim() || toTaskTitle(text) || untitled;
}

/** A text that is its own title is not repeated. */
export function toNewDescription({ text }: NewTaskDraft, title: string): string {
  return text.trim() === title ? "" : text;
}
