import type { AgentOutput, JsonValue, MessageText, NoticeText, Usage } from "@skein/contracts";
import { asObject, stringField } from "@skein/engine";
import { toErrorText } from "../lines/error-text.ts";
import type { JsonObject } from "../lines/parse-line.ts";

type End = Extract<AgentOutput, { type: "end" }>;

const failures: Readonly<Record<string, NoticeText>> = {
  refusal: { code: "model-declined" },
  max_tokens: { code: "model-reached-output-limit" },
  max_turn_requests: { code: "agent-reached-request-limit" },
};

/** The answer to a prompt: a cancelled agent answers `cancelled`. */
export function toPromptEnd(stopReason: string, usage: Usage | undefined, at: number): End {
  const common = { type: "end", ...(usage === undefined ? {} : { usage }), at } as const;
  if (stopReason === "cancelled") return { ...common, status: "cancelled" };
  const reason = Object.hasOwn(failures, stopReason) ? failures[stopReason] : undefined;
  return reason === undefined ? { ...common, status: "success" } : { ...common, status: "failed", reason };
}

/** Messages without information: the cause is in the error's data. */
const vagueMessages = /^(?:Internal error|Server error|Invalid params|Invalid request)$/i;
const maxDepth = 4;

/** The text of a JSON-RPC error: the model provider's own, if the agent passes it on. */
export function toRpcErrorText(error: JsonObject): MessageText {
  const message = stringField(error, "message");
  if (message === undefined) return { code: "agent-failed" };
  const detail = vagueMessages.test(message) ? findDetail(error.data) : undefined;
  return toErrorText(detail ?? message.replace(/^Internal error: /, ""));
}

/** Each agent has another field for it: `details`, `message`, or the provider's error unchanged. */
function findDetail(data: JsonValue | undefined, depth = 0): string | undefined {
  if (typeof data === "string") return data.trim() === "" ? undefined : data;
  const object = asObject(data);
  if (object === undefined || depth > maxDepth) return undefined;
  for (const name of ["details", "message", "errorMessage", "error", "cause", "data", "body"]) {
    const detail = Object.hasOwn(object, name) ? findDetail(object[name], depth + 1) : undefined;
    if (detail !== undefined) return detail;
  }
  return undefined;
}
