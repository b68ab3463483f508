import type { MessageBody } from "@skein/contracts";
import { expect, test } from "vitest";
import { captureRequest } from "./capture-request.ts";

const messages: MessageBody[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Look." },
];
const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object", properties: { path: { type: "string" } } } }];
const secrets = { ANTHROPIC_API_KEY: "canary-key", OPENAI_API_KEY: "canary-key", GEMINI_API_KEY: "canary-key" };

test.each([
  ["anthropic/claude-sonnet-5", "anthropic", { model: "claude-sonnet-5", stream: true, messages: [{ role: "user" }] }],
  ["openai/gpt-5.4", "openai-responses", { model: "gpt-5.4", instructions: "Be brief.", stream: true }],
  ["openai-chat/gpt-5.4", "openai-chat", { model: "gpt-5.4", messages: [{ role: "system" }, { role: "user", content: "Look." }] }],
  ["gemini/gemini-2.5-pro", "gemini", { contents: [{ role: "user" }], systemInstruction: { parts: [{ text: "Be brief." }] } }],
  ["scripted/demo", "scripted", { messages, tools }],
] as const)("[C2] %s: the body as its SDK would send it, and no key", async (model, provider, expected) => {
  const captured = await captureRequest(model, { messages, tools }, { environment: secrets });
  expect(captured).toMatchObject({ provider, model, body: expected });
  expect(JSON.stringify(captured)).not.toContain("canary-key");
});

test("[C2] another provider's format names that provider's default model", async () => {
  const captured = await captureRequest("scripted/demo", { messages, tools }, { provider: "anthropic" });
  expect(captured).toMatchObject({ provider: "anthropic", model: expect.stringMatching(/^anthropic\//), body: { max_tokens: 64_000 } });
  const chat = await captureRequest("anthropic/claude-sonnet-5", { messages, tools }, { provider: "openai-chat" });
  expect(chat.model).toMatch(/^openai-chat\/gpt-/);
});

test("[C2][X11] an endpoint's key and headers are in nothing that is shown", async () => {
  const endpoints = {
    local: { baseUrl: "http://127.0.0.1:1/v1", apiKey: "canary-key", headers: { "x-secret": "canary-header" }, contextWindow: 5000 },
  };
  const captured = await captureRequest("openai-chat/local/small", { messages, tools }, { endpoints });
  expect(captured).toMatchObject({ model: "openai-chat/local/small", contextWindow: 5000, body: { model: "small" } });
  expect(JSON.stringify(captured)).not.toContain("canary");
});

test("[C2] a missing model is reported as the agent would report it", async () => {
  await expect(captureRequest("nobody/x", { messages, tools }, { provider: undefined })).rejects.toThrow("There is no model “nobody/x”");
});
