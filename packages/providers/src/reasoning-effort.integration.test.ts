import type { ReasoningEffort } from "@skein/contracts";
import { startModelServer } from "@skein/testkit/model-servers";
import { describe, expect, test } from "vitest";
import { createModel } from "./create-model.ts";
import { createOpenAIChatModel } from "./openai-chat/create-chat-model.ts";
import type { ChatDialect } from "./openai-chat/to-chat-request.ts";
import { createOpenAIResponsesModel } from "./openai-responses/create-responses-model.ts";
import { collect } from "./testing/models.fixture.ts";

const apis = {
  anthropic: "anthropic",
  openai: "openai-responses",
  "openai-chat": "openai-chat",
  gemini: "gemini",
} as const;

/** The fields of a request that concern thinking, as the provider receives them. */
async function askedBy(modelId: string, effort: ReasoningEffort | undefined): Promise<object> {
  const api = apis[modelId.split("/")[0] as keyof typeof apis];
  await using server = await startModelServer({ api, script: [{ text: "hi" }] });
  const { url, apiKey } = server;
  const model = await createModel(modelId, {
    environment: {
      ANTHROPIC_API_KEY: apiKey,
      ANTHROPIC_BASE_URL: url,
      OPENAI_API_KEY: apiKey,
      OPENAI_BASE_URL: url,
      GEMINI_API_KEY: apiKey,
      GOOGLE_GEMINI_BASE_URL: url,
    },
  });
  await collect(model, effort === undefined ? {} : { reasoningEffort: effort });
  expect(server.violations).toEqual([]);
  return pickThinking(server.requests[0]?.body);
}

function pickThinking(body: unknown): object {
  const { thinking, output_config, reasoning, reasoning_effort, generationConfig } = body as Record<string, unknown>;
  return JSON.parse(JSON.stringify({ thinking, output_config, reasoning, reasoning_effort, generationConfig }));
}

const adaptive = { thinking: { type: "adaptive", display: "summarized" } };
const budget = (tokens: number) => ({ thinking: { type: "enabled", budget_tokens: tokens } });
const thoughts = (more: object) => ({ generationConfig: { thinkingConfig: { includeThoughts: true, ...more } } });

describe("reasoning effort", () => {
  test.each<[string, ReasoningEffort | undefined, object]>([
    ["anthropic/claude-sonnet-5-5", undefined, adaptive],
    ["anthropic/claude-sonnet-5-5", "low", { ...adaptive, output_config: { effort: "low" } }],
    ["anthropic/claude-haiku-4-5", undefined, {}],
    ["anthropic/claude-haiku-4-5", "low", budget(4096)],
    ["anthropic/claude-haiku-4-5-20251001", "medium", budget(12_288)],
    ["anthropic/claude-opus-4-5", "high", budget(32_768)],
    ["anthropic/not-in-the-table", "high", {}],
    ["openai/gpt-5.6-sol", undefined, { reasoning: { summary: "auto" } }],
    ["openai/gpt-5.6-sol", "high", { reasoning: { summary: "auto", effort: "high" } }],
    ["openai/gpt-4.1", "high", {}],
    ["openai-chat/local-model", undefined, {}],
    ["openai-chat/local-model", "medium", { reasoning_effort: "medium" }],
    ["gemini/gemini-3.1-pro-preview", undefined, thoughts({})],
    ["gemini/gemini-3.1-pro-preview", "medium", thoughts({ thinkingLevel: "MEDIUM" })],
    ["gemini/gemini-flash-latest", "high", thoughts({ thinkingLevel: "HIGH" })],
    ["gemini/gemini-2.5-flash", undefined, thoughts({})],
    ["gemini/gemini-2.5-flash", "low", thoughts({ thinkingBudget: 1024 })],
    ["gemini/gemini-2.0-flash", "high", { generationConfig: {} }],
  ])("[R8] %s with the effort %s is asked in its provider's words", async (modelId, effort, expected) => {
    expect(await askedBy(modelId, effort)).toEqual(expected);
  });

  test.each<[ChatDialect, string, object]>([
    ["openai", "gpt-5.4", { reasoning_effort: "low" }],
    ["openai", "gpt-4.1", {}],
    ["mistral", "mistral-large", {}],
  ])("[R8] Chat Completions, %s: %s is asked only when it can be", async (dialect, name, expected) => {
    await using server = await startModelServer({ api: "openai-chat", script: [{ text: "hi" }] });
    const model = createOpenAIChatModel({ model: name, dialect, apiKey: server.apiKey, baseUrl: server.url });
    await collect(model, { reasoningEffort: "low" });
    expect(pickThinking(server.requests[0]?.body)).toEqual(expected);
  });

  test("OpenAI's refusal to show its thoughts leaves the effort as it is", async () => {
    const refusal = { status: 400, param: "reasoning.summary", code: "unsupported_value", message: "Your organization must be verified." };
    await using server = await startModelServer({ api: "openai-responses", script: [{ error: refusal }, { text: "hi" }] });
    const model = createOpenAIResponsesModel({ model: "gpt-5.4", apiKey: server.apiKey, baseUrl: server.url });
    await collect(model, { reasoningEffort: "low" });
    expect(server.requests.map(({ body }) => pickThinking(body))).toEqual([
      { reasoning: { summary: "auto", effort: "low" } },
      { reasoning: { effort: "low" } },
    ]);
  });
});
