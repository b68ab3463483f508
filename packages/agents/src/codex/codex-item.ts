import type { JsonValue, MessageText, TodoItem, ToolExecutionEndState } from "@skein/contracts";
import { arrayField, asObject, numberField, objectField, stringField, stringsField } from "@skein/engine";
import { toErrorMessage } from "../lines/error-text.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toPlanItems } from "../lines/plan-items.ts";
import { toSnakeCase } from "../lines/snake-case.ts";

export interface CodexToolResult {
  output: string;
  isError: boolean;
  state?: ToolExecutionEndState;
  structured?: JsonValue;
}

/** Converts an item of Codex. `exec` uses snake_case, the app server camelCase; otherwise they are equal. */
export type CodexItem =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "plan"; items: TodoItem[] }
  | { type: "notice"; text: MessageText; code: string }
  /** The plan at the end of a turn in plan mode. */
  | { type: "proposal"; plan: string }
  /** An echo of the user's message. */
  | { type: "echo" }
  | { type: "tool"; toolName: string; input: JsonValue; result: CodexToolResult };

export function toCodexItem(item: JsonObject): CodexItem {
  const type = toSnakeCase(stringField(item, "type") ?? "item");
  switch (type) {
    case "agent_message":
      return { type: "text", text: stringField(item, "text") ?? "" };
    case "reasoning":
      return { type: "thinking", text: toReasoningText(item) };
    case "user_message":
      return { type: "echo" };
    case "todo_list":
      return { type: "plan", items: toPlanItems(arrayField(item, "items") ?? []) };
    case "plan":
      return { type: "proposal", plan: stringField(item, "text") ?? "" };
    case "error":
      return {
        type: "notice",
        text: toErrorMessage(stringField(item, "message"), { code: "agent-error", agent: "Codex" }),
        code: "codex-warning",
      };
    case "context_compaction":
      return { type: "notice", text: { code: "conversation-compacted", agent: "Codex", isAutomatic: true }, code: "compacted" };
    case "command_execution":
      return { type: "tool", toolName: type, ...toCommand(item) };
    case "file_change":
      return { type: "tool", toolName: type, ...toFileChange(item) };
    case "mcp_tool_call":
      return { type: "tool", ...toMcpCall(item) };
    case "web_search":
      return { type: "tool", toolName: type, input: toInput(item, "query", "action"), result: toResult(item, "") };
    default:
      // A kind of a later Codex version: shown completely by the generic tool card.
      return { type: "tool", toolName: type, input: toInput(item, ...Object.keys(item)), result: toResult(item, "") };
  }
}

function toReasoningText(item: JsonObject): string {
  const text = stringField(item, "text");
  if (text !== undefined) return text;
  const summary = stringsField(item, "summary") ?? [];
  return (summary.length > 0 ? summary : (stringsField(item, "content") ?? [])).join("\n\n");
}

function toCommand(item: JsonObject): { input: JsonValue; result: CodexToolResult } {
  const command = stringField(item, "command") ?? "";
  const cwd = stringField(item, "cwd");
  const exitCode = numberField(item, "exit_code", "exitCode") ?? null;
  return {
    input: { command, ...(cwd === undefined ? {} : { cwd }) },
    result: { ...toResult(item, stringField(item, "aggregated_output", "aggregatedOutput") ?? ""), structured: { command, exitCode } },
  };
}

/** `exec` reports which files changed, the app server also how: the whole file for a new one, hunks for a change. */
function toFileChange(item: JsonObject): { input: JsonValue; result: CodexToolResult } {
  const changes = (arrayField(item, "changes") ?? []).flatMap((change): JsonValue[] => {
    const path = stringField(change, "path");
    if (path === undefined) return [];
    const kind = stringField(change, "kind") ?? stringField(objectField(change, "kind"), "type") ?? "update";
    const movePath = stringField(objectField(change, "kind"), "move_path", "movePath");
    const diff = stringField(change, "diff");
    return [{ path, kind, ...(movePath === undefined ? {} : { movePath }), ...(diff === undefined ? {} : { diff }) }];
  });
  return { input: { changes }, result: { ...toResult(item, ""), structured: { changes } } };
}

function toMcpCall(item: JsonObject): { toolName: string; input: JsonValue; result: CodexToolResult } {
  const result = objectField(item, "result");
  const blocks = arrayField(result, "content") ?? [];
  const text = blocks.flatMap((block) => stringField(block, "text") ?? []).join("\n");
  const structured = objectField(result, "structured_content", "structuredContent");
  const failure = stringField(objectField(item, "error"), "message") ?? stringField(item, "error");
  const isDenied = failure === "user rejected MCP tool call";
  return {
    toolName: `mcp__${stringField(item, "server") ?? "server"}__${stringField(item, "tool") ?? "tool"}`,
    input: asObject(item.arguments) ?? {},
    result: {
      ...toResult(item, failure ?? text),
      ...(isDenied ? { state: "denied" } : {}),
      ...(structured === undefined ? {} : { structured: { structuredContent: structured } }),
    },
  };
}

function toResult(item: JsonObject, output: string): CodexToolResult {
  const status = stringField(item, "status");
  const isError = status === "failed" || status === "declined";
  return { output, isError, ...(status === "declined" ? { state: "denied" } : {}) };
}

/** Only own fields, and no `id`: web searches have it twice, the second time empty. */
function toInput(item: JsonObject, ...names: string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = Object.hasOwn(item, name) ? item[name] : undefined;
      return value === undefined || name === "id" || name === "type" || name === "status" ? [] : [[name, value]];
    }),
  );
}
