import { applyEdit, type EditResult } from "./apply-edit.ts";

export interface TextEdit {
  oldText: string;
  newText: string;
  replaceAll: boolean;
}

/** One after the other, each in what the one before made of the text; when one does not fit, none is made. */
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
