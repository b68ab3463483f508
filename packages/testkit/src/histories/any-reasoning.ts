import type { JsonValue, ReasoningPart } from "@skein/contracts";
import fc from "fast-check";
import { anyText } from "./any-text.ts";

/** Provider data: valid, of another model, and broken. */
const anyProviderData: fc.Arbitrary<JsonValue | undefined> = fc.oneof(
  fc.constantFrom<JsonValue | undefined>(
    undefined,
    null,
    1,
    "text",
    [],
    {},
    { itemId: 3 },
    { redactedThinking: "" },
    { redactedThinking: "EncR" },
  ),
  fc.record({
    itemId: fc.constantFrom("rs_1", "rs_2", "xx_1"),
    encryptedContent: fc.constantFrom("gAAA", ""),
    next: fc.constantFrom<JsonValue>(
      null,
      {},
      { type: "message", id: "msg_1" },
      { type: "message", id: "bad" },
      { type: "function_call", id: "fc_1" },
    ),
  }),
);

/** As a model produces it: the deeper rules (an item with its reasoning, no id twice) are only reached with this. */
function genuineReasoning(models: readonly string[]): fc.Arbitrary<ReasoningPart> {
  return fc
    .record({
      text: fc.constantFrom("", "I think"),
      model: fc.constantFrom(...models),
      itemId: fc.constantFrom("rs_1", "rs_2", "rs_3"),
      next: fc.constantFrom<JsonValue>(
        { type: "message", id: "msg_1" },
        { type: "message", id: "msg_2" },
        { type: "function_call", id: "fc_1" },
      ),
    })
    .map(({ text, model, itemId, next }) => ({
      type: "reasoning",
      text,
      model,
      ...(model.startsWith("openai/") ? { providerData: { itemId, encryptedContent: "gAAA", next } } : { signature: "c2ln" }),
    }));
}

export function anyReasoning(models: readonly string[]): fc.Arbitrary<ReasoningPart> {
  return fc.oneof(oddReasoning(models), genuineReasoning(models));
}

function oddReasoning(models: readonly string[]): fc.Arbitrary<ReasoningPart> {
  return fc
    .record({
      text: anyText,
      signature: fc.constantFrom(undefined, "", "c2ln", "\ud800"),
      model: fc.constantFrom(undefined, ...models),
      providerData: anyProviderData,
    })
    .map(({ text, signature, model, providerData }) => ({
      type: "reasoning",
      text,
      ...(signature === undefined ? {} : { signature }),
      ...(model === undefined ? {} : { model }),
      ...(providerData === undefined ? {} : { providerData }),
    }));
}

export function anyCallData(models: readonly string[]): fc.Arbitrary<JsonValue | undefined> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<JsonValue | undefined>(undefined, null, [], "x", {}) },
    {
      weight: 2,
      arbitrary: fc.record({
        model: fc.constantFrom(...models),
        itemId: fc.constantFrom<JsonValue>("fc_1", "fc_2", "xx", 3),
        after: fc.constantFrom<JsonValue>([], ["rs_1"], ["rs_1", "rs_2"], "rs_1"),
        thoughtSignature: fc.constantFrom<JsonValue>("c2ln", "", null),
      }),
    },
  );
}
