import type { ImagePart, ReasoningPart, TextPart } from "@skein/contracts";
import type { AssistantTurn, Conversation, ToolStep } from "../conversation/conversation.ts";
import { toArgumentsText } from "../conversation/tool-arguments.ts";
import { toFlaggedText, toResultParts } from "../conversation/tool-results.ts";
import type { IdMap } from "../identifiers/id-map.ts";
import type { NameMap } from "../identifiers/name-map.ts";
import { type FollowingItem, readCallItem, readReasoningData } from "./reasoning-items.ts";
import type { ResponsesCall, ResponsesCallOutput, ResponsesContentPart, ResponsesItem, ResponsesReasoning } from "./responses-item.ts";

export interface ItemOptions {
  ids: IdMap;
  names: NameMap;
  modelId: string;
}

/** Turns as input items of the Responses API, without the system prompt. */
export function toResponsesItems(turns: Conversation["turns"], options: ItemOptions): ResponsesItem[] {
  const sent = new SentItems();
  return turns.flatMap((turn): ResponsesItem[] => {
    if (turn.role === "user") return [{ type: "message", role: "user", content: turn.parts.map(toContent) }];
    return [...toAssistantItems(turn, options, sent), ...turn.steps.map((step) => toOutput(step, options))];
  });
}

/** Each id is sent once: the API rejects a history that contains an item twice (S3). */
class SentItems {
  readonly #ids = new Set<string>();

  claim(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    return true;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}

/** Each reasoning item goes directly before the item that it came with (S2); it is dropped if that item is missing. */
function toAssistantItems({ parts, steps }: AssistantTurn, options: ItemOptions, sent: SentItems): ResponsesItem[] {
  const items: ResponsesItem[] = [];
  const beforeCalls = new Map<ToolStep, ReasoningPart[]>();
  let waiting: ReasoningPart[] = [];
  for (const part of parts) {
    if (part.type === "reasoning") {
      const step = findStep(part, steps, options.modelId);
      if (step === undefined) waiting.push(part);
      else beforeCalls.set(step, [...(beforeCalls.get(step) ?? []), part]);
      continue;
    }
    const reasoning = waiting.flatMap((one) => toReasoningItem(one, "message", sent));
    waiting = [];
    items.push(...reasoning.map(({ item }) => item), toMessage(part, reasoning.at(-1)?.next, sent));
  }
  steps.forEach((step, position) => {
    const mine = [
      ...(position === 0 ? waiting.filter((part) => readReasoningData(part)?.next === undefined) : []),
      ...(beforeCalls.get(step) ?? []),
    ];
    items.push(
      ...mine.flatMap((part) => toReasoningItem(part, "function_call", sent).map(({ item }) => item)),
      toCall(step, options, sent),
    );
  });
  return items;
}

function findStep(part: ReasoningPart, steps: readonly ToolStep[], modelId: string): ToolStep | undefined {
  const next = readReasoningData(part)?.next;
  if (next?.type !== "function_call") return undefined;
  return steps.find(({ call }) => readCallItem(call.providerData, modelId)?.itemId === next.id);
}

function toReasoningItem(
  part: ReasoningPart,
  before: FollowingItem["type"],
  sent: SentItems,
): { item: ResponsesReasoning; next: FollowingItem | undefined }[] {
  const data = readReasoningData(part);
  if (data === undefined || (data.next !== undefined && data.next.type !== before) || !sent.claim(data.id)) return [];
  const summary = part.text === "" ? [] : [{ type: "summary_text" as const, text: part.text }];
  return [{ item: { type: "reasoning", id: data.id, summary, encrypted_content: data.encryptedContent }, next: data.next }];
}

function toMessage({ text }: TextPart, following: FollowingItem | undefined, sent: SentItems): ResponsesItem {
  const phase = following?.phase === undefined ? {} : { phase: following.phase };
  if (following === undefined || !following.id.startsWith("msg") || !sent.claim(following.id)) {
    return { type: "message", role: "assistant", content: text, ...phase };
  }
  const content = [{ type: "output_text" as const, text, annotations: [] }];
  return { type: "message", role: "assistant", id: following.id, status: "completed", content, ...phase };
}

function toCall({ call }: ToolStep, { ids, names, modelId }: ItemOptions, sent: SentItems): ResponsesCall {
  const item = readCallItem(call.providerData, modelId);
  const sendsId = item?.after.every((id) => sent.has(id)) === true && sent.claim(item.itemId);
  return {
    type: "function_call",
    ...(sendsId ? { id: item.itemId } : {}),
    call_id: ids.map(call.id),
    name: names.map(call.function.name),
    arguments: toArgumentsText(call.function.arguments),
  };
}

function toOutput({ call, result }: ToolStep, { ids }: ItemOptions): ResponsesCallOutput {
  const parts = toResultParts(result);
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (texts.length === parts.length) {
    return { type: "function_call_output", call_id: ids.map(call.id), output: toFlaggedText(texts.join("\n"), result.isError) };
  }
  const flag = result.isError === true ? [{ type: "input_text" as const, text: "Error:" }] : [];
  return { type: "function_call_output", call_id: ids.map(call.id), output: [...flag, ...parts.map(toContent)] };
}

function toContent(part: TextPart | ImagePart): ResponsesContentPart {
  if (part.type === "text") return { type: "input_text", text: part.text };
  return { type: "input_image", image_url: `data:${part.mediaType};base64,${part.data}`, detail: "auto" };
}
