import { applyEdit, type EditResult } from "./apply-edit.ts";

export interface TextEdit {
  oldText: string;
  newText: string;
  replaceAll: boolean;
}

/** Applies edits in order, each to the result of the previous one; if one does not match, none is applied. */
export function applyEdits(text: string, edits: readonly TextEdit[]): EditResult {
  let current = text;
  let count = 0;
  for (const [index, edit] of edits.entries()) {
    const result = applyEdit(current, edit);
    if (!result.ok) {
      return edits.length === 1
        ? result
        : { ok: false, error: `edit ${index + 1} of ${edits.length}, and so none, was made: ${result.error}` };
    }
    current = result.text;
    count += result.count;
  }
  return current === text ? { ok: false, error: "the edits undo each other; nothing would change." } : { ok: true, text: current, count };
}
