import type { JsonValue } from "@skein/contracts";
import { arrayField, asObject, objectField, stringField, stringsField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

/** An item of a session file with the names that the app server uses for it: `CommandExecution` is `commandExecution` there. */
export function toAppServerItem(item: JsonObject): JsonObject {
  const type = stringField(item, "type") ?? "item";
  return { ...toAppServerFields(item), type: `${type.slice(0, 1).toLowerCase()}${type.slice(1)}` };
}

function toAppServerFields(item: JsonObject): JsonObject {
  switch (item.type) {
    case "AgentMessage":
      return { ...item, text: joinTexts(item) };
    case "Reasoning":
      return { ...item, summary: stringsField(item, "summary_text") ?? [], content: stringsField(item, "raw_content") ?? [] };
    case "CommandExecution":
      return { ...item, command: toCommandLine(item), ...toPath(item) };
    case "FileChange":
      return { ...item, changes: toChanges(item) };
    case "McpToolCall": {
      const result = objectField(item, "result");
      return { ...item, result: objectField(result, "Ok") ?? result ?? null };
    }
    default:
      return item;
  }
}

/** Kinds that are shown by their own means, or not at all. */
export function isToolItem(item: JsonObject): boolean {
  return !/^(?:AgentMessage|Reasoning|UserMessage|Plan|HookPrompt)$/.test(stringField(item, "type") ?? "");
}

function joinTexts(item: JsonObject): string {
  return (arrayField(item, "content") ?? []).flatMap((part) => stringField(part, "text") ?? []).join("\n");
}

function toCommandLine(item: JsonObject): string {
  const words = (arrayField(item, "command") ?? []).filter((word): word is string => typeof word === "string");
  if (words.length === 0) return stringField(item, "command") ?? "";
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

function toPath(item: JsonObject): JsonObject {
  const cwd = stringField(item, "cwd");
  return cwd === undefined ? {} : { cwd: cwd.startsWith("file://") ? decodeURIComponent(cwd.slice("file://".length)) : cwd };
}

/** By path; the content of a new file is its diff, as the app server has it. */
function toChanges(item: JsonObject): JsonValue[] {
  return Object.entries(asObject(item.changes) ?? {}).flatMap(([path, value]): JsonValue[] => {
    const change = asObject(value);
    if (change === undefined) return [];
    const movePath = stringField(change, "move_path");
    const diff = stringField(change, "unified_diff", "content") ?? "";
    return [
      { path, kind: { type: stringField(change, "type") ?? "update", ...(movePath === undefined ? {} : { move_path: movePath }) }, diff },
    ];
  });
}
