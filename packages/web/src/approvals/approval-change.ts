import type { JsonValue } from "@skein/contracts";

export interface ChangeLine {
  kind: "added" | "removed" | "same";
  text: string;
}

/** What a tool would change of a file, as far as its input tells; nothing shortened. */
export interface ApprovalChange {
  path: string;
  edits: ChangeLine[][];
  /** Names of the input's fields that are shown by it. */
  fields: string[];
}

const pathNames = ["file_path", "filePath", "path"];
const oldNames = ["old_string", "oldString", "oldText", "old_text"];
const newNames = ["new_string", "newString", "newText", "new_text"];
const wholeNames = ["content", "file_text"];

/** Null for tools that change no file, and for inputs that are not understood: those are shown field by field. */
export function toApprovalChange(input: JsonValue): ApprovalChange | null {
  if (!isRecord(input)) return null;
  const path = findText(input, pathNames);
  if (!path) return null;
  const edit = toEdit(input);
  if (edit) return { path: path.text, edits: [edit.lines], fields: [path.name, ...edit.fields] };
  if (Array.isArray(input.edits)) {
    const edits = input.edits.map((one) => (isRecord(one) ? toEdit(one) : null));
    // One that is not understood, or that says more than what it replaces: all of it must be read as it is.
    const isWhole = edits.every(
      (one, index) => one !== null && one.fields.length === Object.keys(input.edits?.[index as never] ?? {}).length,
    );
    return isWhole && edits.length > 0
      ? { path: path.text, edits: edits.flatMap((one) => (one ? [one.lines] : [])), fields: [path.name, "edits"] }
      : null;
  }
  const whole = findText(input, wholeNames);
  if (!whole) return null;
  return { path: path.text, edits: [toLines(whole.text).map((text) => ({ kind: "added", text }))], fields: [path.name, whole.name] };
}

function toEdit(input: Record<string, JsonValue>): { lines: ChangeLine[]; fields: string[] } | null {
  const before = findText(input, oldNames);
  const after = findText(input, newNames);
  return before && after ? { lines: diffLines(toLines(before.text), toLines(after.text)), fields: [before.name, after.name] } : null;
}

/** What is the same at both ends, and what lies between: exact, and made in one pass however long it is. */
function diffLines(before: readonly string[], after: readonly string[]): ChangeLine[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const lines = (kind: ChangeLine["kind"], texts: readonly string[]): ChangeLine[] => texts.map((text) => ({ kind, text }));
  return [
    ...lines("same", before.slice(0, start)),
    ...lines("removed", before.slice(start, before.length - end)),
    ...lines("added", after.slice(start, after.length - end)),
    ...lines("same", before.slice(before.length - end)),
  ];
}

function toLines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function findText(input: Record<string, JsonValue>, names: readonly string[]): { name: string; text: string } | null {
  for (const name of names) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value === "string") return { name, text: value };
  }
  return null;
}

function isRecord(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
