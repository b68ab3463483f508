import Anthropic, { APIConnectionError, type APIError, APIUserAbortError } from "@anthropic-ai/sdk";
import type { MessageCreateParamsNonStreaming, MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { afterEach, describe, expect, it } from "vitest";
import type { Script } from "./reply.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./start-model-server.ts";

let server: ModelServer;
afterEach(() => server.close());

async function start(script: Script, rest: Partial<ModelServerOptions> = {}): Promise<Anthropic> {
  server = await startModelServer({ api: "anthropic", script, ...rest });
  return new Anthropic({ baseURL: server.url, apiKey: server.apiKey, maxRetries: 0 });
}

const tools = [{ name: "read", input_schema: { type: "object" as const } }];
const body = (messages: MessageParam[] = [{ role: "user", content: "hi" }], model = "claude-test"): MessageCreateParamsNonStreaming => ({
  model,
  max_tokens: 2048,
  tools,
  thinking: { type: "enabled", budget_tokens: 1024 },
  messages,
});
const read = { id: "toolu_1", name: "read", arguments: { path: "ä😀.txt" }, fragments: 5 };

describe("the Anthropic server and its SDK", () => {
  it("streams thinking, text and tool calls in fragments, with usage", async () => {
    const usage = { inputTokens: 100, cachedInputTokens: 60, cacheWriteTokens: 10, outputTokens: 20 };
    const client = await start([{ reasoning: "let me see", text: ["I ", "read ", "it."], toolCalls: [read], usage }]);
    const stream = client.messages.stream(body());
    const texts: string[] = [];
    const fragments: string[] = [];
    stream.on("text", (text) => texts.push(text));
    stream.on("inputJson", (fragment) => fragments.push(fragment));
    const message = await stream.finalMessage();
    expect(texts).toEqual(["I ", "read ", "it."]);
    expect(fragments.join("")).toBe('{"path":"ä😀.txt"}');
    expect(fragments.length).toBe(6);
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "let me see", signature: expect.stringMatching(/^[\w+/=]{20,}$/) },
      { type: "text", text: "I read it." },
      { type: "tool_use", id: "toolu_1", name: "read", input: { path: "ä😀.txt" } },
    ]);
    expect(message.stop_reason).toBe("tool_use");
    expect(message.usage).toMatchObject({
      input_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
      output_tokens: 20,
    });
    expect(server.requests[0]).toMatchObject({ model: "claude-test", body: { stream: true, max_tokens: 2048 }, violations: [] });
    await expect(server.requests[0]?.ended).resolves.toBe("answered");
  });

  it("answers without streaming, counts tokens and lists its models", async () => {
    const client = await start([{ text: "hello" }], { models: ["claude-test"] });
    await expect(client.messages.create(body())).resolves.toMatchObject({
      content: [{ type: "text", text: "hello" }],
      stop_reason: "end_turn",
    });
    const counted = await client.messages.countTokens({ model: "claude-test", messages: [{ role: "user", content: "x".repeat(400) }] });
    expect(counted.input_tokens).toBeGreaterThanOrEqual(100);
    await expect(client.models.list()).resolves.toMatchObject({ data: [{ id: "claude-test" }] });
    await expect(client.messages.create(body(undefined, "other"))).rejects.toMatchObject({ status: 404, type: "not_found_error" });
    expect(server.otherRequests.map(({ path }) => path)).toEqual(["/v1/messages/count_tokens", "/v1/models"]);
  });

  it("refuses invalid requests in the provider's words, without using a step of the script", async () => {
    const client = await start([{ text: "hello" }]);
    const broken = client.messages.create(body([{ role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] }]));
    await expect(broken).rejects.toMatchObject({
      status: 400,
      error: {
        type: "error",
        error: { type: "invalid_request_error", message: expect.stringContaining("unexpected `tool_use_id` found") },
      },
    });
    expect(server.violations.map(({ rule }) => rule)).toEqual(["A3"]);
    await expect(server.requests[0]?.ended).resolves.toBe("refused");
    await expect(client.messages.create(body())).resolves.toMatchObject({ content: [{ text: "hello" }] });
  });

  it("[A9] accepts thinking only unchanged, and only for the model that produced it", async () => {
    const client = await start(() => ({ reasoning: "let me see", toolCalls: [{ name: "read", arguments: {} }] }));
    const { content } = await client.messages.create(body());
    const [thinking, call] = content;
    if (thinking?.type !== "thinking" || call?.type !== "tool_use") throw new Error("not what the script says");
    const results: MessageParam = { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "ok" }] };
    const send = (blocks: MessageParam["content"], model?: string) =>
      client.messages.create(body([{ role: "user", content: "hi" }, { role: "assistant", content: blocks }, results], model));

    await expect(send([thinking, call])).resolves.toBeDefined();
    await expect(send([{ ...thinking, thinking: "else" }, call])).rejects.toThrow(
      /messages\.1\.content\.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified/,
    );
    await expect(send([{ ...thinking, signature: "Zm9yZ2Vk" }, call])).rejects.toThrow(/Invalid `signature` in `thinking` block/);
    await expect(send([thinking, call], "claude-other")).rejects.toThrow(/Invalid `signature` in `thinking` block/);
    await expect(send([call])).rejects.toThrow(/Expected `thinking` or `redacted_thinking`, but found `tool_use`/);
    const adaptive = {
      ...body([{ role: "user", content: "hi" }, { role: "assistant", content: [call] }, results]),
      thinking: { type: "adaptive" },
    };
    await expect(client.messages.create(adaptive as MessageCreateParamsNonStreaming)).rejects.toThrow(/cannot be modified/);
    expect(new Set(server.violations.map(({ rule }) => rule))).toEqual(new Set(["A9"]));
  });

  it("sends each kind of error in the provider's form", async () => {
    const client = await start([
      { error: { status: 429, retryAfterSec: 7 } },
      { error: { status: 529 } },
      { error: { status: 500, message: "boom" } },
      { text: "partly", error: { status: 529, midStream: true } },
    ]);
    const create = () => client.messages.create(body());
    const limited = await create().catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
    expect(limited).toMatchObject({ type: "rate_limit_error", requestID: expect.stringMatching(/^req_/) });
    expect((limited as APIError).headers?.get("retry-after")).toBe("7");
    await expect(create()).rejects.toMatchObject({ status: 529, type: "overloaded_error" });
    await expect(create()).rejects.toMatchObject({ status: 500, error: { error: { type: "api_error", message: "boom" } } });
    const stream = client.messages.stream(body());
    await expect(stream.finalMessage()).rejects.toThrow(/Overloaded/);
    await expect(create()).rejects.toThrow(/has no step 4/);
  });

  it("accepts only its key, and no prompt longer than its window", async () => {
    const client = await start([{ text: "hello" }], { contextWindow: 100 });
    const stranger = new Anthropic({ baseURL: server.url, apiKey: "wrong", maxRetries: 0 });
    await expect(stranger.messages.create(body())).rejects.toMatchObject({ status: 401, type: "authentication_error" });
    await expect(client.messages.create(body([{ role: "user", content: "x".repeat(4000) }]))).rejects.toThrow(
      /prompt is too long: \d+ tokens > 100 maximum/,
    );
    await expect(client.messages.create(body())).resolves.toBeDefined();
    await expect(client.get("/v1/nowhere")).rejects.toMatchObject({ status: 404, type: "not_found_error" });
  });

  it("cuts a stream at exactly the byte that the script names", async () => {
    const client = await start([{ text: "hello" }, { text: "hello", cutAfterBytes: 300 }, { text: "x", cutAfterBytes: 0 }]);
    const whole = await readBytes(server, body());
    const part = await readBytes(server, body());
    expect(part).toHaveLength(300);
    // Ids are new in every answer; everything before the first one is the same.
    expect(whole.subarray(0, 40)).toEqual(part.subarray(0, 40));
    await expect(client.messages.stream(body()).finalMessage()).rejects.toThrow();
    await expect(server.requests[1]?.ended).resolves.toBe("cut");
  });

  it("hangs until the client disconnects", async () => {
    const client = await start([{ hang: true }, { text: "begun", hang: true }]);
    const abort = new AbortController();
    const answer = client.messages.create(body(), { signal: abort.signal });
    const silent = await server.waitForRequest(0);
    abort.abort();
    await expect(answer).rejects.toBeInstanceOf(APIUserAbortError);
    await expect(silent.ended).resolves.toBe("aborted");

    const stream = client.messages.stream(body());
    await new Promise<void>((resolve) => stream.on("text", (_, soFar) => soFar === "begun" && resolve()));
    stream.abort();
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(APIUserAbortError);
    await expect(server.requests[1]?.ended).resolves.toBe("aborted");
  });

  it("answers others while one waits, and stops waiting when its client disconnects", async () => {
    const never = 600_000;
    const client = await start([{ text: "late", delayMs: never }, { text: "slow", chunkDelayMs: never }, { text: "soon" }]);
    const late = client.messages.stream(body());
    await server.waitForRequest(0);
    const slow = client.messages.stream(body());
    await new Promise((resolve) => slow.once("streamEvent", resolve));
    await expect(client.messages.stream(body()).finalText()).resolves.toBe("soon");
    for (const [n, stream] of [late, slow].entries()) {
      stream.abort();
      await expect(stream.finalText()).rejects.toBeInstanceOf(APIUserAbortError);
      await expect(server.requests[n]?.ended).resolves.toBe("aborted");
    }
  });

  it("does not listen once it is closed", async () => {
    const client = await start([{ text: "hello" }]);
    await server.close();
    await expect(client.messages.create(body())).rejects.toBeInstanceOf(APIConnectionError);
  });
});

/** The part of a streamed answer that arrives before the connection ends, complete or cut. */
async function readBytes({ url, apiKey }: ModelServer, request: object): Promise<Buffer> {
  const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
  const response = await fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...request, stream: true }),
  });
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
  } catch {
    // The cut shows as an error after the last byte.
  }
  return Buffer.concat(chunks);
}
