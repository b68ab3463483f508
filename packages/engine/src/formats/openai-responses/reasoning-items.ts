import type { JsonValue, ReasoningPart } from "@skein/contracts";
import { asText, readCallData, readFields } from "../conversation/reasoning.ts";

/** The item that must follow a reasoning item: the one it came with (S2). */
export interface FollowingItem {
  type: "message" | "function_call";
  id: string;
  phase?: "commentary" | "final_answer";
}

export interface ReasoningItemData {
  id: string;
  encryptedContent: string;
  next: FollowingItem | undefined;
}

/** Stored with the reasoning, so that the complete item can be sent back. */
export function toReasoningData({ id, encryptedContent, next }: ReasoningItemData): JsonValue {
  return {
    itemId: id,
    encryptedContent,
    ...(next === undefined ? {} : { next: { type: next.type, id: next.id, ...(next.phase === undefined ? {} : { phase: next.phase }) } }),
  };
}

export function readReasoningData(part: ReasoningPart): ReasoningItemData | undefined {
  const fields = readFields(part.providerData);
  const id = asText(fields.itemId);
  const encryptedContent = asText(fields.encryptedContent);
  if (id === undefined || !id.startsWith("rs") || encryptedContent === undefined) return undefined;
  return { id, encryptedContent, next: readFollowing(fields.next) };
}

function readFollowing(value: JsonValue | undefined): FollowingItem | undefined {
  const fields = readFields(value);
  const id = asText(fields.id);
  const phase = fields.phase === "commentary" || fields.phase === "final_answer" ? fields.phase : undefined;
  if (id === undefined || (fields.type !== "message" && fields.type !== "function_call")) return undefined;
  return { type: fields.type, id, ...(phase === undefined ? {} : { phase }) };
}

/** The provider does not store items (`store: false`), so an item without its encrypted content cannot be sent back. */
export function isReplayableItem(part: ReasoningPart, modelId: string): boolean {
  return part.model === modelId && readReasoningData(part) !== undefined;
}

export interface CallItemData {
  itemId: string;
  /** The reasoning items before it in its response: without them the API rejects its id. */
  after: string[];
}

/** The data of a tool call that `readCallItem` reads: the item's id, and the reasoning items before it. */
export function toCallData({ itemId, after }: CallItemData, modelId: string): JsonValue {
  return { model: modelId, itemId, after };
}

/** Reads what `toCallData` stored; undefined for another model, which rejects the ids. */
export function readCallItem(providerData: JsonValue | undefined, modelId: string): CallItemData | undefined {
  const fields = readCallData(providerData, modelId);
  const itemId = asText(fields.itemId);
  if (itemId === undefined || !itemId.startsWith("fc")) return undefined;
  const after = Array.isArray(fields.after) ? fields.after.filter((id) => typeof id === "string") : [];
  return { itemId, after };
}
