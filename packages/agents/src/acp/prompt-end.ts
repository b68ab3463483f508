import type { AgentOutput, Usage } from "@skein/contracts";
import { countField, objectField, stringField } from "@skein/engine";
import { toErrorText } from "../lines/error-text.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toWholeUsage, withOutputOf } from "../lines/whole-usage.ts";

type End = Extract<AgentOutput, { type: "end" }>;

const failures: Readonly<Record<string, string>> = {
  refusal: "The model refused to go on.",
  max_tokens: "The model reached its output limit before it was done.",
  max_turn_requests: "The agent reached its limit of requests before it was done.",
};

/** The answer to a prompt: an agent that was told to stop says `cancelled`. */
export function toPromptEnd(result: JsonObject, stopReason: string, at: number): End {
  const usage = toUsage(result);
  const common = { type: "end", ...(usage === undefined ? {} : { usage }), at } as const;
  if (stopReason === "cancelled") return { ...common, status: "cancelled" };
  const reason = Object.hasOwn(failures, stopReason) ? failures[stopReason] : undefined;
  return reason === undefined ? { ...common, status: "success" } : { ...common, status: "failed", reason };
}

/** A JSON-RPC error in words. "Internal error" alone says nothing: the details do. */
export function toRpcErrorText(error: JsonObject): string {
  const message = stringField(error, "message") ?? "The agent refused a request.";
  const details = stringField(objectField(error, "data"), "details");
  const text = details !== undefined && message === "Internal error" ? details : message.replace(/^Internal error: /, "");
  return toErrorText(text);
}

function toUsage(result: JsonObject): Usage | undefined {
  const own = objectField(result, "usage");
  const counts = own ?? objectField(objectField(objectField(result, "_meta"), "quota"), "token_count");
  const fields = {
    inputTokens: countField(counts, 0, "inputTokens", "input_tokens"),
    outputTokens: countField(counts, 0, "outputTokens", "output_tokens"),
    reasoningTokens: countField(counts, 0, "thoughtTokens"),
    cacheReadTokens: countField(counts, 0, "cachedReadTokens"),
    cacheWriteTokens: countField(counts, 0, "cachedWriteTokens"),
  };
  const told = Object.entries(fields).filter((entry) => entry[1] !== undefined);
  if (told.length === 0) return undefined;
  const usage = toWholeUsage(Object.fromEntries(told));
  // some count thoughts beside the output, some in it: the total tells
  return withOutputOf(countField(counts, 0, "totalTokens"), usage);
}
