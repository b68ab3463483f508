import type { MessageBody } from "@skein/contracts";
import { expect, test } from "vitest";
import { shortenBody } from "./shorten-body.ts";

const long = "x".repeat(50_000);

test("[C1] a short message is sent as it is", () => {
  const body: MessageBody = {
    role: "assistant",
    content: "Hi",
    toolCalls: [{ id: "a", type: "function", function: { name: "ls", arguments: "{}" } }],
  };
  expect(shortenBody(body)).toBe(body);
});

test.each<MessageBody>([
  { role: "user", content: long },
  { role: "user", content: [{ type: "image", mediaType: "image/png", data: long }] },
  { role: "assistant", content: [{ type: "reasoning", text: long, signature: "s" }] },
  { role: "assistant", content: "", toolCalls: [{ id: "a", type: "function", function: { name: "write", arguments: long } }] },
  { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "read", input: { text: long }, result: long }] },
])("[C1] a page never carries a long text or an image: $role", (body) => {
  const shortened = shortenBody(body);
  expect(shortened.role).toBe(body.role);
  expect(JSON.stringify(shortened).length).toBeLessThan(3000);
});

test("[C1] what pairs calls and results stays", () => {
  const body: MessageBody = {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "a", toolName: "read", input: null, result: long, isError: true }],
  };
  expect(shortenBody(body)).toMatchObject({ content: [{ toolCallId: "a", toolName: "read", isError: true }] });
});
