import type { AgentOutput, JsonValue, MessageText, Usage } from "@skein/contracts";
import { asObject, countField, numberField, objectField, stringField, stringsField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";
import { toWholeUsage } from "../lines/whole-usage.ts";

type End = Extract<AgentOutput, { type: "end" }>;

const unknownSession = /^No conversation found with session ID|^Error: --resume requires a valid session ID/m;

/** `--resume-session-at` is unknown to old versions; others no longer have the message. */
const unknownPoint = /^No message found with message\.uuid|^error: unknown option '--resume-session-at/m;

export function isUnknownPoint(text: string): boolean {
  return unknownPoint.test(text);
}

export function isUnknownSession(text: string): boolean {
  return unknownSession.test(text);
}

/**
 * Claude Code 2.0.77 cannot parse its own notification that a background command ended, and reports a failed turn without requests after
 * the actual result. It sends nothing else about that end.
 */
export function isFailedTaskNotice(line: JsonObject): boolean {
  const errors = stringsField(line, "errors") ?? [];
  return line.num_turns === 0 && errors.length === 1 && errors[0] === "only prompt commands are supported in streaming mode";
}

/** The agent's own status. `subtype` is `success` for API errors, too: `is_error` counts. */
export function toEnd(line: JsonObject, { usage, at }: { usage: Usage; at: number }): End {
  const subtype = stringField(line, "subtype") ?? "";
  const failed = line.is_error === true || subtype.startsWith("error");
  if (!failed) return { type: "end", status: "success", usage, at };
  if (stringField(line, "terminal_reason")?.startsWith("aborted")) return { type: "end", status: "cancelled", usage, at };
  const reason = toReason(line, subtype);
  return {
    type: "end",
    status: "failed",
    reason,
    ...(typeof reason === "string" && isUnknownSession(reason) ? { code: "session-not-found" } : {}),
    usage,
    at,
  };
}

function toReason(line: JsonObject, subtype: string): MessageText {
  // `[ede_diagnostic] …` is an internal note of its developers.
  const errors = (stringsField(line, "errors") ?? []).filter((error) => error !== "" && !error.startsWith("[ede_diagnostic]"));
  if (errors.length > 0) return errors.join("\n");
  const result = stringField(line, "result") ?? "";
  if (result !== "") return result;
  const state = subtype === "" || subtype === "success" ? {} : { state: subtype.replaceAll("_", " ") };
  return { code: "agent-failed", agent: "Claude Code", ...state };
}

/** Usage of the execution up to this result: several results are added up. */
export function addUsage(before: Usage, line: JsonObject): Usage {
  const byModel = objectField(line, "model_usage_since_last_result");
  if (byModel !== undefined) return sum(before, Object.values(byModel).map(toModelUsage));
  // Older versions: tokens since the last result, cost since the program started.
  const usage = objectField(line, "usage");
  const costUsd = numberField(line, "total_cost_usd");
  const tokens = toRequestUsage(usage);
  const { costUsd: _, ...tokensBefore } = before;
  return { ...sum(tokensBefore, [tokens]), ...(costUsd === undefined || costUsd < 0 ? {} : { costUsd }) };
}

/** The tokens of one request to the model. */
export function toRequestUsage(usage: JsonValue | undefined): Usage {
  return toUsage({
    inputTokens: countField(usage, 0, "input_tokens"),
    outputTokens: countField(usage, 0, "output_tokens"),
    cacheReadTokens: countField(usage, 0, "cache_read_input_tokens"),
    cacheWriteTokens: countField(usage, 0, "cache_creation_input_tokens"),
  });
}

/** Includes subagents; excludes what earlier executions of a resumed session used. */
function toModelUsage(model: JsonValue): Usage {
  const costUsd = numberField(asObject(model), "costUSD");
  return toUsage({
    inputTokens: countField(model, 0, "inputTokens"),
    outputTokens: countField(model, 0, "outputTokens"),
    cacheReadTokens: countField(model, 0, "cacheReadInputTokens"),
    cacheWriteTokens: countField(model, 0, "cacheCreationInputTokens"),
    costUsd: costUsd !== undefined && costUsd >= 0 ? costUsd : undefined,
  });
}

const usageFields = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "costUsd"] as const;

function toUsage(values: { [Field in (typeof usageFields)[number]]?: number | undefined }): Usage {
  const usage: Usage = {};
  for (const field of usageFields) if (values[field] !== undefined) usage[field] = values[field];
  return toWholeUsage(usage);
}

function sum(before: Usage, added: readonly Usage[]): Usage {
  const total: Usage = { ...before };
  for (const usage of added) {
    for (const field of usageFields) {
      const value = usage[field];
      if (value !== undefined) total[field] = (total[field] ?? 0) + value;
    }
  }
  return total;
}
