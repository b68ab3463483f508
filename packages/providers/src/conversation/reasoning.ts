import type { JsonValue, ReasoningPart } from "@skein/contracts";
import { isWellFormedJson } from "./well-formed-json.ts";

/** Signed text cannot be repaired: reasoning that is not valid Unicode is left out. */
export function isWellFormedReasoning(part: ReasoningPart): boolean {
  return part.text.isWellFormed() && (part.signature ?? "").isWellFormed() && isWellFormedJson(part.providerData ?? null);
}

/** The fields of provider data; none when it has another shape (it may come from an import). */
export function readFields(value: JsonValue | undefined): Record<string, JsonValue | undefined> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Provider data of a tool call names its model itself: it goes back to no other. Empty when it is another's. */
export function readCallData(providerData: JsonValue | undefined, modelId: string): Record<string, JsonValue | undefined> {
  const fields = readFields(providerData);
  return fields.model === modelId ? fields : {};
}

export function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" && value.isWellFormed() ? value : undefined;
}
