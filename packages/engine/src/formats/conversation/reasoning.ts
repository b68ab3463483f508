import type { JsonValue, ReasoningPart } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { isWellFormedJson } from "./well-formed-json.ts";

/** Signed text cannot be repaired: reasoning with invalid Unicode is dropped. */
export function isWellFormedReasoning(part: ReasoningPart): boolean {
  return part.text.isWellFormed() && (part.signature ?? "").isWellFormed() && isWellFormedJson(part.providerData ?? null);
}

/** The fields of provider data; empty if it has another shape, since it may be imported. */
export function readFields(value: JsonValue | undefined): Record<string, JsonValue | undefined> {
  return isJsonObject(value) ? value : {};
}

/** Provider data of a tool call names its model and is sent back only to that one. Empty for another model. */
export function readCallData(providerData: JsonValue | undefined, modelId: string): Record<string, JsonValue | undefined> {
  const fields = readFields(providerData);
  return fields.model === modelId ? fields : {};
}

export function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" && value.isWellFormed() ? value : undefined;
}
