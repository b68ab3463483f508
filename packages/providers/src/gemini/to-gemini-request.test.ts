import type { MessageBody, ToolCall } from "@skein/contracts";
import { buildImage } from "@skein/testkit/histories";
import { describe, expect, test } from "vitest";
import { toGeminiRequest } from "./to-gemini-request.ts";
import { toGeminiSchema } from "./to-gemini-schema.ts";

function contents(messages: MessageBody[], model = "gemini-3.1-pro-preview") {
  return toGeminiRequest({ messages, tools: [], model, modelId: `gemini/${model}` }).params.contents;
}

function call(id: string, thoughtSignature?: string, model = "gemini/gemini-3.1-pro-preview"): ToolCall {
  const data = thoughtSignature === undefined ? {} : { providerData: { model, thoughtSignature } };
  return { id, type: "function", function: { name: "bash", arguments: "{}" }, ...data };
}

const png = buildImage("image/png", { width: 2, height: 2 });

function history(...toolCalls: ToolCall[]): MessageBody[] {
  return [
    { role: "user", content: "go" },
    { role: "assistant", content: "", toolCalls },
    {
      role: "tool",
      content: toolCalls.map(({ id }, i) => ({
        type: "tool-result",
        toolCallId: id,
        toolName: "bash",
        input: {},
        result: i === 0 ? [png] : "no",
        isError: i === 1,
      })),
    },
  ];
}

describe("Gemini requests", () => {
  test("[G4] a signature stays on its call; the first call of a step without one gets Google's stand-in", () => {
    const signatures = (messages: MessageBody[], model?: string) =>
      contents(messages, model)[1]?.parts.map((part) => part.thoughtSignature);
    expect(signatures(history(call("a", "sig"), call("b")))).toEqual(["sig", undefined]);
    expect(signatures(history(call("a"), call("b")))).toEqual(["skip_thought_signature_validator", undefined]);
    expect(signatures(history(call("a", "sig", "gemini/other")))).toEqual(["skip_thought_signature_validator"]);
    expect(signatures(history(call("a")), "gemini-2.5-flash")).toEqual([undefined]);
    expect(signatures(history(call("a")), "gemini-flash-latest")).toEqual(["skip_thought_signature_validator"]);
  });

  test("[G1] images are inside a response where the model reads them there, otherwise after the responses", () => {
    const inside = contents(history(call("a"), call("b")))[2]?.parts;
    expect(inside).toMatchObject([
      { functionResponse: { response: { output: "[1 image, see below]" }, parts: [{ inlineData: { mimeType: "image/png" } }] } },
      { functionResponse: { response: { error: "no" } } },
    ]);
    const separate = contents(history(call("a"), call("b")), "gemini-2.5-flash")[2]?.parts;
    expect(separate?.map((part) => Object.keys(part)[0])).toEqual(["functionResponse", "functionResponse", "inlineData"]);
  });

  test("the signature of a text goes back on it, without the thoughts", () => {
    const model = "gemini/gemini-3.1-pro-preview";
    const content = [
      { type: "reasoning" as const, text: "hm", signature: "sig", model },
      { type: "text" as const, text: "hi" },
    ];
    expect(
      contents([
        { role: "user", content: "go" },
        { role: "assistant", content },
        { role: "user", content: "and?" },
      ])[1]?.parts,
    ).toEqual([{ text: "hi", thoughtSignature: "sig" }]);
  });

  test("a schema keeps what Gemini knows, and properties that are called like keywords", () => {
    expect(
      toGeminiSchema({
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: {
          pattern: { type: "string", pattern: "^a", minLength: 1, format: "uri" },
          when: { type: "string", format: "date-time" },
          kind: { const: "a" },
          size: { enum: [1, 2], type: "integer", exclusiveMinimum: 0 },
          list: { type: "array", items: { anyOf: [{ type: "string", default: "x" }, { type: "null" }] } },
          one: { allOf: [{ type: "object", properties: { x: { type: "number", examples: [1] } } }] },
        },
        required: ["pattern"],
        additionalProperties: false,
        definitions: { d: { type: "string", $comment: "c" } },
      }),
    ).toEqual({
      type: "object",
      properties: {
        pattern: { type: "string" },
        when: { type: "string", format: "date-time" },
        kind: { enum: ["a"] },
        size: { type: "integer" },
        list: { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } },
        one: { type: "object", properties: { x: { type: "number" } } },
      },
      required: ["pattern"],
      additionalProperties: false,
      $defs: { d: { type: "string" } },
    });
  });
});
