import type { JsonValue, MessageBody } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { RequestMessageBuilder } from "../request/request-message-builder.ts";
import { normalizeMessage } from "./normalize-message.ts";

describe("messages of other programs", () => {
  it("[R0] one result as text becomes a tool message with parts", () => {
    expect(normalizeMessage({ role: "tool", toolCallId: "c", content: "out" })).toEqual([
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "", input: null, result: "out" }] },
    ]);
  });

  it("[U1] tool results in a user message become a tool message, and its text stays the user's", () => {
    expect(
      normalizeMessage({
        role: "user",
        content: [
          { type: "tool_result", id: "c", name: "read", input: { path: "a" }, result: { content: "x" }, isError: true },
          { type: "text", text: "and now?" },
        ],
      }),
    ).toEqual([
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c", toolName: "read", input: { path: "a" }, result: '{"content":"x"}', isError: true },
        ],
      },
      { role: "user", content: [{ type: "text", text: "and now?" }] },
    ]);
  });

  it("[R0] a tool message keeps every text and image of its list, in any API's spelling", () => {
    const data = "aGk=";
    const content = [
      { type: "text", text: "one" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${data}`, detail: "auto" } },
      { type: "input_text", text: "two" },
      { type: "input_image", image_url: `data:image/jpeg;base64,${data}` },
      { type: "image", source: { type: "base64", media_type: "image/webp", data } },
      { type: "image", mediaType: "image/gif", data },
      { type: "image_url", image_url: { url: "https://example.invalid/a.png" } },
      { type: "audio", seconds: 3 },
    ];
    const image = (mediaType: string) => ({ type: "image", mediaType, data });
    const result = [
      { type: "text", text: "one" },
      image("image/png"),
      { type: "text", text: "two" },
      image("image/jpeg"),
      image("image/webp"),
      image("image/gif"),
      { type: "text", text: JSON.stringify(content[6]) },
      { type: "text", text: JSON.stringify(content[7]) },
    ];
    const part = { type: "tool-result", toolCallId: "c", toolName: "", input: null, result };
    expect(normalizeMessage({ role: "tool", toolCallId: "c", content })).toEqual([{ role: "tool", content: [part] }]);
    expect(normalizeMessage({ role: "user", content })).toEqual([{ role: "user", content: result }]);
    const bodies = new RequestMessageBuilder()
      .setMessages([
        { id: 1, body: { role: "user", content: "look" } },
        { id: 2, body: { role: "assistant", toolCalls: [{ id: "c", type: "function", function: { name: "see", arguments: "{}" } }] } },
        { id: 3, body: { role: "tool", toolCallId: "c", content } },
      ])
      .build();
    expect(bodies.at(-1)).toEqual({ role: "tool", content: [part] });
  });

  it("[U1] a result that is an object is read as its tool meant it", () => {
    const toolMessage = (result: JsonValue) => ({
      role: "tool" as const,
      content: [{ type: "tool-result" as const, toolCallId: "c", toolName: "read", input: {}, result }],
    });
    const read = (result: JsonValue) => normalizeMessage(toolMessage(result) as unknown as MessageBody)[0]?.content[0];
    expect(read({ llmContent: "seen", returnDisplay: "shown", isError: true })).toMatchObject({ result: "seen", isError: true });
    expect(read({ llmContent: [{ type: "text", text: "seen" }] })).toMatchObject({ result: [{ type: "text", text: "seen" }] });
    expect(read({ anything: 1 })).toMatchObject({ result: '{"anything":1}' });
  });

  it("[R0] the current form is returned unchanged", () => {
    const bodies: MessageBody[] = [
      { role: "system", content: "s" },
      { role: "user", content: "u" },
      { role: "user", content: [{ type: "text", text: "u" }] },
      { role: "assistant", content: "a" },
      { role: "tool", content: [] },
    ];
    for (const body of bodies) expect(normalizeMessage(body)[0]).toBe(body);
    expect(normalizeMessage({ role: "assistant", toolCalls: [] })).toEqual([{ role: "assistant", toolCalls: [], content: "" }]);
  });
});
