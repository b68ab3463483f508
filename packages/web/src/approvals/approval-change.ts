import type { Approval, JsonObject, JsonValue } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";

export interface ChangeLine {
  /** `no-newline`: the file ends here, without a line break. It has no text. */
  kind: "added" | "removed" | "same" | "no-newline";
  text: string;
}

/** What a tool would change of one file, nothing shortened. */
export interface FileChange {
  path: string;
  movedTo: string | null;
  kind: "added" | "deleted" | "changed";
  edits: ChangeLine[][];
  /** Only the file is known: the agent did not send what it would change. */
  isUnknown: boolean;
}

/** What a tool would change, according to its input. */
export interface ApprovalChange {
  files: FileChange[];
  /** Names of the input's fields that are shown by it. */
  fields: string[];
}

const pathNames = ["file_path", "filePath", "filepath", "path"];
const oldNames = ["old_string", "oldString", "oldText", "old_text"];
const newNames = ["new_string", "newString", "newText", "new_text"];
const wholeNames = ["content", "file_text"];

/** Null for tools that change no file, and for inputs that are not understood: those are shown field by field. */
export function toApprovalChange({ input, overwrites }: Pick<Approval, "input" | "overwrites">): ApprovalChange | null {
  if (!isJsonObject(input)) return null;
  if (Array.isArray(input.changes)) return fromChanges(input.changes);
  const path = findText(input, pathNames);
  if (!path) return null;
  const toChange = (kind: FileChange["kind"], edits: ChangeLine[][], ...fields: string[]): ApprovalChange => ({
    files: [{ path: path.text, movedTo: null, kind, edits, isUnknown: false }],
    fields: [path.name, ...fields],
  });
  const changed = (edits: ChangeLine[][], ...fields: string[]) => toChange("changed", edits, ...fields);
  const edit = toEdit(input);
  if (edit) return changed([edit.lines], ...edit.fields);
  if (Array.isArray(input.edits)) {
    const edits = input.edits.map((one) => (isJsonObject(one) ? toEdit(one) : null));
    // Not understood, or with more fields than a replacement has: it is shown unchanged, to be read in full.
    const isWhole = edits.every(
      (one, index) => one !== null && one.fields.length === Object.keys(input.edits?.[index as never] ?? {}).length,
    );
    return isWhole && edits.length > 0
      ? changed(
          edits.flatMap((one) => (one ? [one.lines] : [])),
          "edits",
        )
      : null;
  }
  const patch = findText(input, ["diff"]);
  const hunks = patch && readPatch(patch.text);
  if (hunks) return changed(hunks, "diff");
  const whole = findText(input, wholeNames);
  return whole ? toChange(overwrites === false ? "added" : "changed", [toFileLines("added", whole.text)], whole.name) : null;
}

const changeFields = new Set(["path", "kind", "movePath", "diff", "oldText", "newText"]);

/** Changes of several files, as Codex and agents that speak ACP describe them. */
function fromChanges(changes: readonly JsonValue[]): ApprovalChange | null {
  const files = changes.map(toFileChange);
  return files.length > 0 && files.every((file) => file !== null) ? { files, fields: ["changes"] } : null;
}

function toFileChange(change: JsonValue): FileChange | null {
  if (!isJsonObject(change) || !Object.keys(change).every((name) => changeFields.has(name))) return null;
  const { path, movePath = null } = change;
  if (typeof path !== "string" || (movePath !== null && typeof movePath !== "string")) return null;
  const kind = change.kind === "add" ? "added" : change.kind === "delete" ? "deleted" : "changed";
  const edits = toFileEdits(change, kind);
  return { path, movedTo: movePath, kind, edits: edits ?? [], isUnknown: edits === null };
}

/** Null if the change is unknown. */
function toFileEdits({ diff, oldText, newText }: JsonObject, kind: FileChange["kind"]): ChangeLine[][] | null {
  if (typeof oldText === "string" && typeof newText === "string") return [diffFiles(oldText, newText)];
  if (typeof diff !== "string") return null;
  // a new or deleted file comes as its content, a change as hunks
  if (kind === "changed") return readPatch(diff) ?? [toLinesOf("same", diff)];
  return [toFileLines(kind === "added" ? "added" : "removed", diff)];
}

/** The hunks of a unified patch of one file; null for what is none. */
function readPatch(patch: string): ChangeLine[][] | null {
  const [head = "", ...hunks] = `\n${patch}`.split(/\n@@ [^\n]*@@[^\n]*/);
  const isPlain = head.split("\n").every((line) => /^(?:Index: |=+$|--- |\+\+\+ |diff |index |$)/.test(line));
  return hunks.length > 0 && isPlain ? hunks.map((hunk) => hunk.replace(/^\n/, "").replace(/\n$/, "").split("\n").map(toPatchLine)) : null;
}

function toPatchLine(line: string): ChangeLine {
  if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
  return line.startsWith("-") ? { kind: "removed", text: line.slice(1) } : { kind: "same", text: line.replace(/^ /, "") };
}

function toLinesOf(kind: ChangeLine["kind"], text: string): ChangeLine[] {
  return splitFile(text).map((line) => ({ kind, text: line }));
}

function toEdit(input: JsonObject): { lines: ChangeLine[]; fields: string[] } | null {
  const before = findText(input, oldNames);
  const after = findText(input, newNames);
  return before && after ? { lines: diffLines(toLines(before.text), toLines(after.text)), fields: [before.name, after.name] } : null;
}

/** Where only one of two files ends with a line break, that is a difference, and is shown. */
function diffFiles(before: string, after: string): ChangeLine[] {
  const isShared = before.endsWith("\n") && after.endsWith("\n");
  return isShared ? diffLines(splitFile(before), splitFile(after)) : diffLines(toLines(before), toLines(after));
}

/** Common prefix, common suffix, and the lines in between: exact, and linear in the length. */
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

/** The lines of a whole file. A missing line break at the end is marked. */
function toFileLines(kind: ChangeLine["kind"], text: string): ChangeLine[] {
  const lines = toLinesOf(kind, text);
  return text === "" || text.endsWith("\n") ? lines : [...lines, { kind: "no-newline", text: "" }];
}

/** A newline at the end of the file does not start another line. */
function splitFile(content: string): string[] {
  const lines = toLines(content);
  return content.endsWith("\n") ? lines.slice(0, -1) : lines;
}

function findText(input: JsonObject, names: readonly string[]): { name: string; text: string } | null {
  for (const name of names) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value === "string") return { name, text: value };
  }
  return null;
}
