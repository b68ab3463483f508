import type { AnthropicBlock } from "../../provider-rules/anthropic/request.ts";
import type { Turn } from "../model-api.ts";
import type { OpaqueIds } from "../opaque-id.ts";
import { argumentsText, pieces, textPieces } from "../pieces.ts";

/** A block as it is issued, with the pieces it is streamed in. */
export interface StreamedBlock {
  block: AnthropicBlock;
  /** As `content_block_start` shows it. */
  start: object;
  deltas: object[];
}

export function anthropicEvent(data: { type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function toBlocks({ reply, call }: Turn, ids: OpaqueIds): StreamedBlock[] {
  const blocks: StreamedBlock[] = [];
  if (reply.reasoning !== undefined) {
    const thinking = textPieces(reply.reasoning);
    const signature = ids.blob(call.model, thinking.join(""));
    blocks.push({
      block: { type: "thinking", thinking: thinking.join(""), signature },
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [...thinking.map((piece) => ({ type: "thinking_delta", thinking: piece })), { type: "signature_delta", signature }],
    });
  }
  if (reply.redactedReasoning !== undefined) {
    const block: AnthropicBlock = { type: "redacted_thinking", data: reply.redactedReasoning };
    blocks.push({ block, start: block, deltas: [] });
  }
  const text = textPieces(reply.text ?? reply.refusal);
  if (text.length > 0) {
    blocks.push({
      block: { type: "text", text: text.join("") },
      start: { type: "text", text: "" },
      deltas: text.map((piece) => ({ type: "text_delta", text: piece })),
    });
  }
  for (const call of reply.toolCalls ?? []) {
    const id = call.id ?? ids.id("toolu_01");
    const json = argumentsText(call.arguments);
    blocks.push({
      block: { type: "tool_use", id, name: call.name, input: typeof call.arguments === "string" ? {} : call.arguments },
      start: { type: "tool_use", id, name: call.name, input: {} },
      deltas: ["", ...pieces(json, call.fragments ?? 2)].map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    });
  }
  return blocks;
}

/** The events of the blocks; a ping comes where the real stream has its first one. */
export function blockEvents(blocks: StreamedBlock[]): string[] {
  return blocks.flatMap(({ start, deltas }, index) => [
    anthropicEvent({ type: "content_block_start", index, content_block: start } as { type: string }),
    ...(index === 0 ? [anthropicEvent({ type: "ping" })] : []),
    ...deltas.map((delta) => anthropicEvent({ type: "content_block_delta", index, delta } as { type: string })),
    anthropicEvent({ type: "content_block_stop", index } as { type: string }),
  ]);
}
