import type { AttemptId } from "@skein/contracts";

/** A resolution that is being written: the text, and the content of the file from which it was begun. */
export interface ConflictDraft {
  text: string;
  currentId: string;
}

/** Longer ones are kept until the page is reloaded, not longer. */
const maxStored = 500_000;
const drafts = new Map<string, ConflictDraft>();
const keyOf = (attemptId: AttemptId, path: string) => `skein.conflict:${attemptId}:${path}`;

/** What the user typed and did not save, also after a reload. */
export function readConflictDraft(attemptId: AttemptId, path: string): ConflictDraft | null {
  const key = keyOf(attemptId, path);
  const known = drafts.get(key);
  if (known !== undefined) return known;
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? "null") as Partial<ConflictDraft> | null;
    return typeof stored?.text === "string" && typeof stored.currentId === "string"
      ? { text: stored.text, currentId: stored.currentId }
      : null;
  } catch {
    return null;
  }
}

export function writeConflictDraft(attemptId: AttemptId, path: string, draft: ConflictDraft | null): void {
  const key = keyOf(attemptId, path);
  if (draft === null) drafts.delete(key);
  else drafts.set(key, draft);
  try {
    if (draft === null || draft.text.length > maxStored) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Blocked or full: it is kept for this page.
  }
}
