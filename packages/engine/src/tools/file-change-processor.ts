import type { FileDiff, JsonValue, ToolDetails } from "@skein/contracts";
import { toToolDiff } from "@skein/contracts/tool-diff";
import { keepStart } from "../text/truncate.ts";
import { toTitledSummary } from "./acp-kind-processors.ts";
import { parseApplyPatch } from "./apply-patch-text.ts";
import { isDiffable, toFileDiff, toPatchedDiff, toSnippetDiff } from "./file-diff.ts";
import { arrayField, objectField, stringField } from "./json-fields.ts";
import { parseUnifiedPatch } from "./parse-unified-patch.ts";
import { hasSucceeded, type SummaryDraft, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const maxFiles = 200;
const maxPatchLength = 256 * 1024;

interface Change {
  path: string;
  /** Undefined while the kind of change is unknown. */
  kind: "add" | "update" | "delete" | undefined;
  movePath: string | undefined;
  diff: string | undefined;
  oldText: string | undefined;
  newText: string | undefined;
  /** The texts are parts of the file at an unknown position. */
  isSnippet: boolean;
}

const pathNames = ["path", "file_path", "filePath", "fileName"];

const actions = { add: "write", update: "update", delete: "delete" } as const;

/** Changes of one or several files in one call: Codex's patches, and edits of ACP agents that do not name their tool. */
export const fileChangeProcessor: ToolProcessor = {
  toolNames: ["file_change", "apply_patch", "patch"],
  present(observation) {
    const changes = readChanges(observation);
    const summary = toSummary(observation, changes);
    // A failed call changed nothing: a diff of the intended change would suggest that it had.
    if (!hasSucceeded(observation) || changes.length === 0) return { summary };
    return { summary, details: toDetails(changes) };
  },
};

/** Whether the agent reported the changes themselves, whatever its tool is called. */
export function hasChanges({ structured }: ToolObservation): boolean {
  return (arrayField(structured, "changes") ?? []).length > 0;
}

function toSummary(observation: ToolObservation, changes: readonly Change[]): SummaryDraft {
  const [first] = changes;
  if (first === undefined) {
    const path = stringField(observation.input, ...pathNames);
    // without other data, a title that names the file describes the change
    if (path !== undefined && stringField(observation.input, "title") === undefined) return { action: "update", subject: path };
    return toTitledSummary(observation) ?? { action: "update" };
  }
  const action = first.movePath === undefined ? actions[first.kind ?? "update"] : "move";
  if (changes.length === 1) return { action, subject: first.movePath ?? first.path };
  const isSame = changes.every((change) => change.kind === first.kind && change.movePath === undefined);
  const subject = changes.map(({ path }) => path).join(", ");
  return { action: isSame ? action : "update", subject, count: changes.length };
}

function toDetails(changes: readonly Change[]): ToolDetails {
  const diffs = changes.map(toDiff);
  const [first, ...otherFiles] = diffs;
  // Some agents name the files but not their changes.
  if (first === undefined || diffs.every((diff) => diff.hunks.length === 0 && diff.patch === undefined && diff.change !== "deleted")) {
    return { type: "fileList", data: changes.map((change) => change.movePath ?? change.path) };
  }
  return { type: "diff", data: { ...toToolDiff(first), ...(otherFiles.length === 0 ? {} : { otherFiles: otherFiles.map(toToolDiff) }) } };
}

function toDiff({ path, kind, movePath, diff, oldText, newText, isSnippet }: Change): FileDiff {
  const filePath = movePath ?? path;
  const change = movePath === undefined ? toChange(kind) : "renamed";
  const plain: FileDiff = { filePath, change, hunks: [] };
  if (kind === "delete") return plain;
  if (newText !== undefined && isSnippet) {
    return isDiffable(oldText ?? "", newText) ? toSnippetDiff(filePath, [{ oldText: oldText ?? "", newText }]) : plain;
  }
  if (newText !== undefined) {
    const whole = toFileDiff({ filePath, oldContent: kind === "add" ? null : (oldText ?? ""), newContent: newText });
    return whole === undefined ? plain : { ...whole, change };
  }
  if (diff === undefined || diff === "" || !isDiffable(diff)) return plain;
  if (kind === "add") return toFileDiff({ filePath, oldContent: null, newContent: diff }) ?? plain;
  const hunks = parseUnifiedPatch(diff);
  if (hunks === undefined) return { ...plain, patch: keepStart(diff, maxPatchLength) };
  return { ...toPatchedDiff({ filePath, oldContent: undefined, hunks }), change };
}

function toChange(kind: Change["kind"]): NonNullable<FileDiff["change"]> {
  switch (kind) {
    case "add":
      return "created";
    case "delete":
      return "deleted";
    default:
      return "updated";
  }
}

function readChanges({ input, structured }: ToolObservation): Change[] {
  const listed = arrayField(structured, "changes") ?? arrayField(input, "changes") ?? toListed(objectField(input, "changes"));
  const changes: readonly JsonValue[] = listed ?? parseApplyPatch(readPatchText(input)).map((file) => ({ ...file }));
  return changes.slice(0, maxFiles).flatMap((change) => {
    const path = stringField(change, "path");
    const kind = stringField(change, "kind");
    if (path === undefined) return [];
    return [
      {
        path,
        kind: kind === "add" || kind === "update" || kind === "delete" ? kind : undefined,
        movePath: stringField(change, "movePath"),
        diff: stringField(change, "diff"),
        oldText: stringField(change, "oldText"),
        newText: stringField(change, "newText"),
        isSnippet: stringField(change, "scope") === "snippet",
      },
    ];
  });
}

/** Codex over ACP reports changes by path. */
function toListed(changes: { [path: string]: JsonValue } | undefined): JsonValue[] | undefined {
  if (changes === undefined) return undefined;
  return Object.entries(changes).map(([path, change]) => ({ path, kind: stringField(change, "type") ?? null }));
}

function readPatchText(input: JsonValue): string {
  if (typeof input === "string") return input;
  const command = arrayField(input, "command");
  const argument = command?.[0] === "apply_patch" ? command[1] : undefined;
  return (typeof argument === "string" ? argument : stringField(input, "patchText", "patch", "input")) ?? "";
}
