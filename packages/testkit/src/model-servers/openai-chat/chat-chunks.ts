import type { Turn } from "../model-api.ts";
import { argumentsText, pieces, textPieces } from "../pieces.ts";
import type { ToolCallReply } from "../reply.ts";

export type IdentifiedCall = ToolCallReply & { id: string };

/** The deltas of `choices[0]`, in the order the real stream has them. */
export function toDeltas({ reply }: Turn, calls: IdentifiedCall[]): object[] {
  return [
    { role: "assistant", content: "", refusal: null },
    ...textPieces(reply.reasoning).map((piece) => ({ reasoning_content: piece })),
    ...textPieces(reply.text).map((piece) => ({ content: piece })),
    ...textPieces(reply.refusal).map((piece) => ({ refusal: piece })),
    ...calls.flatMap((call, index) => callDeltas(call, index)),
  ];
}

function callDeltas(call: IdentifiedCall, index: number): object[] {
  const opening = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
  const rest = pieces(argumentsText(call.arguments), call.fragments ?? 2).map((piece) => ({ index, function: { arguments: piece } }));
  return [opening, ...rest].map((call) => ({ tool_calls: [call] }));
}

/** The same as one message. */
export function toMessage({ reply }: Turn, calls: IdentifiedCall[]): object {
  const joined = (text: string | readonly string[] | undefined) => (text === undefined ? null : textPieces(text).join(""));
  return {
    role: "assistant",
    content: joined(reply.text),
    refusal: reply.refusal ?? null,
    ...(reply.reasoning !== undefined && { reasoning_content: joined(reply.reasoning) }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: "function",
        function: { name: call.name, arguments: argumentsText(call.arguments) },
      })),
    }),
  };
}

export function toChatUsage({ usage }: Turn): object {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
