import type { JsonValue } from "@skein/contracts";
import { arrayField, asObject } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { type AcpDiff, toDiffs } from "./acp-content.ts";

const editKinds = new Set(["edit", "delete", "move"]);
/** Fields in which an input itself describes the change; clients read them. */
const changeFields = ["content", "file_text", "old_string", "oldString", "old_text", "oldText", "diff", "edits"];

/**
 * The input of an edit with its changes, for an approval: many agents put only the path into the input, and the change into the content
 * of the call. `call`: what was reported before.
 */
export function withAskedChanges(
  input: JsonValue,
  call: { kind: string; diffs: readonly AcpDiff[] },
  content: readonly JsonValue[],
): JsonValue {
  const fields = asObject(input);
  if (!editKinds.has(call.kind) || fields === undefined || hasChange(fields)) return input;
  const asked = toDiffs(content);
  const diffs = asked.length > 0 ? asked : call.diffs;
  if (diffs.length === 0) return input;
  const others = (arrayField(fields, "changes") ?? []).filter((change) => !diffs.some(({ path }) => asObject(change)?.path === path));
  return { ...fields, changes: [...diffs, ...others] };
}

function hasChange(input: JsonObject): boolean {
  return changeFields.some((name) => typeof input[name] === "string" || Array.isArray(input[name]));
}
