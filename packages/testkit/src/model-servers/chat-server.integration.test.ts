import OpenAI, { APIUserAbortError } from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { afterEach, describe, expect, it } from "vitest";
import type { Script } from "./reply.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./start-model-server.ts";

let server: ModelServer;
afterEach(() => server.close());

async function start(script: Script, rest: Partial<ModelServerOptions> = {}): Promise<OpenAI> {
  server = await startModelServer({ api: "openai-chat", script, ...rest });
  return new OpenAI({ baseURL: server.url, apiKey: server.apiKey, maxRetries: 0 });
}

const hi: ChatCompletionMessageParam[] = [{ role: "user", content: "hi" }];
const calls = [
  { id: "call_1", name: "read", arguments: { path: "a" }, fragments: 4 },
  { name: "list", arguments: {} },
];

describe("the Chat Completions server and its SDK", () => {
  it("streams text and parallel calls in fragments, with a usage chunk when asked", async () => {
    const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 5, reasoningTokens: 2 };
    const client = await start([{ reasoning: "hm", text: "I read", toolCalls: calls, usage }]);
    const stream = client.chat.completions.stream({ model: "gpt-test", messages: hi, stream_options: { include_usage: true } });
    const reasoning: unknown[] = [];
    stream.on("chunk", (chunk) => reasoning.push(Reflect.get(chunk.choices[0]?.delta ?? {}, "reasoning_content")));
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "I read",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
          { id: expect.stringMatching(/^call_/), function: { name: "list", arguments: "{}" } },
        ],
      },
    });
    expect(reasoning.filter((piece) => piece !== undefined).join("")).toBe("hm");
    expect(completion.usage).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    });
  });

  it("sends usage only on request, and a refusal as a refusal", async () => {
    const client = await start([{ refusal: "I will not." }, { text: "hello", stopReason: "length" }]);
    const stream = client.chat.completions.stream({ model: "gpt-test", messages: hi });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]?.message.refusal).toBe("I will not.");
    expect(usage).toBeUndefined();
    await expect(client.chat.completions.create({ model: "gpt-test", messages: hi })).resolves.toMatchObject({
      object: "chat.completion",
      choices: [{ message: { content: "hello" }, finish_reason: "length" }],
      usage: { total_tokens: expect.any(Number) },
    });
  });

  it("refuses invalid requests in the provider's words", async () => {
    const client = await start([]);
    const lost: ChatCompletionMessageParam[] = [...hi, { role: "tool", tool_call_id: "a", content: "ok" }];
    await expect(client.chat.completions.create({ model: "gpt-test", messages: lost })).rejects.toMatchObject({
      status: 400,
      type: "invalid_request_error",
      param: "messages.[1].role",
      message: "400 Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    });
    expect(server.violations.map(({ rule }) => rule)).toEqual(["C2"]);
  });

  it("[M1] behaves like Mistral on request", async () => {
    const client = await start([{ toolCalls: [{ name: "read", arguments: {} }] }], { mistral: true });
    const { choices } = await client.chat.completions.create({ model: "mistral-test", messages: hi });
    const message = choices[0]?.message;
    const call = message?.tool_calls?.[0];
    expect(call?.id).toMatch(/^[a-zA-Z0-9]{9}$/);
    if (message === undefined || call === undefined) throw new Error("not what the script says");
    const messages: ChatCompletionMessageParam[] = [...hi, message, { role: "tool", tool_call_id: call.id, content: "ok" }, ...hi];
    const headers = { authorization: `Bearer ${server.apiKey}` };
    const refused = await fetch(`${server.url}/chat/completions`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "m", messages }),
    });
    await expect(refused.json()).resolves.toEqual({
      object: "error",
      message: "Unexpected role 'user' after role 'tool'",
      type: "invalid_request_message_order",
      param: null,
      code: "3230",
    });
    expect(server.violations.map(({ rule }) => rule)).toEqual(["M1"]);
  });

  it("sends each kind of error in the provider's form", async () => {
    const client = await start(
      [
        { error: { status: 429, retryAfterSec: 3 } },
        { error: { status: 500 } },
        { error: { status: 503 } },
        { text: "partly", error: { status: 500, midStream: true } },
      ],
      { contextWindow: 50, models: ["gpt-test"] },
    );
    const create = (model = "gpt-test", content = "hi") => client.chat.completions.create({ model, messages: [{ role: "user", content }] });
    const limited = await create().catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(OpenAI.RateLimitError);
    expect(limited).toMatchObject({ code: "rate_limit_exceeded" });
    expect((limited as InstanceType<typeof OpenAI.RateLimitError>).headers?.get("retry-after")).toBe("3");
    await expect(create()).rejects.toMatchObject({ status: 500, type: "server_error" });
    await expect(create()).rejects.toMatchObject({ status: 503 });
    const stream = client.chat.completions.stream({ model: "gpt-test", messages: hi });
    await expect(stream.finalChatCompletion()).rejects.toThrow(/server had an error/);
    await expect(create("gpt-other")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
    await expect(create("gpt-test", "x".repeat(1000))).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
    const stranger = new OpenAI({ baseURL: server.url, apiKey: "wrong-key", maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
    await expect(client.models.list()).resolves.toMatchObject({ data: [{ id: "gpt-test" }] });
    await expect(client.files.list()).rejects.toMatchObject({ status: 404, code: "unknown_url" });
  });

  it("cuts a stream, and hangs until the client disconnects", async () => {
    const client = await start([
      { text: "hello there", cutAfterBytes: 500 },
      { text: "begun", hang: true },
    ]);
    const cut = client.chat.completions.stream({ model: "gpt-test", messages: hi });
    await expect(cut.finalChatCompletion()).rejects.toThrow();
    await expect(server.requests[0]?.ended).resolves.toBe("cut");
    const stream = client.chat.completions.stream({ model: "gpt-test", messages: hi });
    await new Promise<void>((resolve) => stream.on("content", (_, soFar) => soFar === "begun" && resolve()));
    stream.abort();
    await expect(stream.finalChatCompletion()).rejects.toBeInstanceOf(APIUserAbortError);
    await expect(server.requests[1]?.ended).resolves.toBe("aborted");
  });
});
