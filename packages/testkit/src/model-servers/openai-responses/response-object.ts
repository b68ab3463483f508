import type { Turn } from "../model-api.ts";
import type { OutputItem } from "./output-items.ts";

export type ResponseStatus = "in_progress" | "completed" | "incomplete" | "failed";

/** The `response` of every event that carries one, and the whole body without streaming. */
export function responseObject(
  { call, reply, usage }: Turn,
  { id, status, output }: { id: string; status: ResponseStatus; output: OutputItem[] },
): Record<string, unknown> {
  const ended = status === "completed" || status === "incomplete";
  return {
    id,
    object: "response",
    created_at: 1_767_225_600,
    status,
    background: false,
    error: null,
    incomplete_details: status === "incomplete" ? { reason: reply.stopReason } : null,
    instructions: null,
    max_output_tokens: null,
    model: call.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: ended
      ? {
          input_tokens: usage.inputTokens,
          input_tokens_details: { cached_tokens: usage.cachedInputTokens },
          output_tokens: usage.outputTokens,
          output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
          total_tokens: usage.inputTokens + usage.outputTokens,
        }
      : null,
    user: null,
    metadata: {},
  };
}
