import type { Turn } from "../model-api.ts";
import type { OpaqueIds } from "../opaque-id.ts";
import { argumentsText, pieces, textPieces } from "../pieces.ts";
import type { ToolCallReply } from "../reply.ts";

export interface SummaryItem {
  type: "reasoning";
  id: string;
  summary: { type: "summary_text"; text: string }[];
  encrypted_content?: string;
}

export interface MessageItem {
  type: "message";
  id: string;
  status: string;
  role: "assistant";
  content: object[];
}

export interface FunctionCallItem {
  type: "function_call";
  id: string;
  status: string;
  call_id: string;
  name: string;
  namespace?: string;
  arguments: string;
}

export interface CustomToolCallItem {
  type: "custom_tool_call";
  id: string;
  status: string;
  call_id: string;
  name: string;
  input: string;
}

export type OutputItem = SummaryItem | MessageItem | FunctionCallItem | CustomToolCallItem;

/** An item as it is issued, with the pieces it is streamed in. */
export interface StreamedItem {
  item: OutputItem;
  pieces: string[];
}

export function toItems({ reply, call }: Turn, ids: OpaqueIds): StreamedItem[] {
  const items: StreamedItem[] = [];
  if (reply.reasoning !== undefined) {
    const streamed = textPieces(reply.reasoning);
    const text = streamed.join("");
    const item: SummaryItem = { type: "reasoning", id: ids.id("rs_"), summary: text === "" ? [] : [{ type: "summary_text", text }] };
    if (asksForEncryptedReasoning(call.body)) item.encrypted_content = `gAAAAA${ids.blob(call.model, text)}`;
    items.push({ item, pieces: text === "" ? [] : streamed });
  }
  const said = textPieces(reply.text ?? reply.refusal);
  if (said.length > 0) {
    const text = said.join("");
    const part =
      reply.text === undefined ? { type: "refusal", refusal: text } : { type: "output_text", annotations: [], logprobs: [], text };
    items.push({ item: { type: "message", id: ids.id("msg_"), status: "completed", role: "assistant", content: [part] }, pieces: said });
  }
  for (const toolCall of reply.toolCalls ?? []) items.push(toCallItem(toolCall, ids));
  return items;
}

function toCallItem(call: ToolCallReply, ids: OpaqueIds): StreamedItem {
  const text = argumentsText(call.arguments);
  const shared = { status: "completed", call_id: call.id ?? ids.id("call_"), name: call.name };
  const item: OutputItem = call.custom
    ? { type: "custom_tool_call", id: ids.id("ctc_"), ...shared, input: text }
    : {
        type: "function_call",
        id: ids.id("fc_"),
        ...shared,
        ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
        arguments: text,
      };
  return { item, pieces: pieces(text, call.fragments ?? 2) };
}

function asksForEncryptedReasoning(body: unknown): boolean {
  const include = typeof body === "object" && body !== null && "include" in body ? body.include : undefined;
  return Array.isArray(include) && include.includes("reasoning.encrypted_content");
}
