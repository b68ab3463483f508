import OpenAI from "openai";
import type { ResponseInputItem, ResponseOutputItem, ResponseStreamEvent } from "openai/resources/responses/responses";
import { afterEach, describe, expect, it } from "vitest";
import type { Script } from "./reply.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./start-model-server.ts";

let server: ModelServer;
afterEach(() => server.close());

async function start(script: Script, rest: Partial<ModelServerOptions> = {}): Promise<OpenAI> {
  server = await startModelServer({ api: "openai-responses", script, ...rest });
  return new OpenAI({ baseURL: server.url, apiKey: server.apiKey, maxRetries: 0 });
}

const body = (input: ResponseInputItem[] = [{ role: "user", content: "hi" }], model = "gpt-test") => ({
  model,
  input,
  store: false,
  include: ["reasoning.encrypted_content" as const],
});
const read = { id: "call_1", name: "read", arguments: { path: "a" }, fragments: 4 };

describe("the Responses server and its SDK", () => {
  it("streams reasoning, text and calls in fragments, every event in its place", async () => {
    const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 9, reasoningTokens: 2 };
    const patch = { name: "patch", arguments: "*** Begin", custom: true as const };
    const client = await start([{ reasoning: ["let ", "me"], text: "I read", toolCalls: [read, patch], usage }]);
    const stream = client.responses.stream(body());
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type.replace("response.", "")).filter((type, at, all) => type !== all[at - 1])).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "output_item.added",
      "custom_tool_call_input.delta",
      "custom_tool_call_input.done",
      "output_item.done",
      "completed",
    ]);
    const response = await stream.finalResponse();
    expect(response.output_text).toBe("I read");
    expect(response.output).toMatchObject([
      {
        type: "reasoning",
        id: expect.stringMatching(/^rs_/),
        summary: [{ text: "let me" }],
        encrypted_content: expect.stringMatching(/^gAAA/),
      },
      { type: "message", id: expect.stringMatching(/^msg_/), content: [{ type: "output_text", text: "I read" }] },
      { type: "function_call", id: expect.stringMatching(/^fc_/), call_id: "call_1", name: "read", arguments: '{"path":"a"}' },
      { type: "custom_tool_call", id: expect.stringMatching(/^ctc_/), name: "patch", input: "*** Begin" },
    ]);
    expect(response.usage).toMatchObject({
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 19,
    });
  });

  it("sends encrypted reasoning only on request, and reports why a response is incomplete", async () => {
    const client = await start([{ reasoning: "", text: "cut", stopReason: "max_output_tokens" }]);
    const response = await client.responses.create({ model: "gpt-test", input: "hi" });
    expect(response).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    expect(response.output[0]).toEqual({ type: "reasoning", id: expect.any(String), summary: [] });
  });

  it("[S2] accepts reasoning only unchanged, with the item that followed it, and for the model that produced it", async () => {
    const client = await start(() => ({ reasoning: "hm", toolCalls: [{ name: "read", arguments: {} }] }));
    const { output } = await client.responses.create(body());
    const [reasoning, call] = output as [ResponseOutputItem & { type: "reasoning" }, ResponseOutputItem & { type: "function_call" }];
    const done: ResponseInputItem = { type: "function_call_output", call_id: call.call_id, output: "ok" };
    const hi: ResponseInputItem = { role: "user", content: "hi" };
    const send = (items: ResponseInputItem[], model?: string) => client.responses.create(body([hi, ...items], model));
    const { id: _, ...anonymous } = call;

    await expect(send([reasoning, call, done])).resolves.toBeDefined();
    await expect(send([reasoning, anonymous, done])).resolves.toBeDefined();
    await expect(send([anonymous, done])).resolves.toBeDefined();
    await expect(send([call, done])).rejects.toThrow(
      `Item '${call.id}' of type 'function_call' was provided without its required 'reasoning' item: '${reasoning.id}'.`,
    );
    const said: ResponseInputItem = { role: "assistant", content: "well" };
    await expect(send([reasoning, said])).rejects.toThrow(
      `Item '${reasoning.id}' of type 'reasoning' was provided without its required following item.`,
    );
    await expect(send([reasoning, call, done], "gpt-other")).rejects.toMatchObject({ code: "invalid_encrypted_content" });
    const forged = { ...reasoning, encrypted_content: "gAAAforged" };
    await expect(send([forged, call, done])).rejects.toMatchObject({ status: 400, code: "invalid_encrypted_content" });
    const { encrypted_content: __, ...bare } = reasoning;
    await expect(send([bare, call, done])).rejects.toThrow(/Items are not persisted when `store` is set to false/);
    expect(new Set(server.violations.map(({ rule }) => rule))).toEqual(new Set(["S2"]));
  });

  it("[S1] continues from a stored response", async () => {
    const client = await start([{ toolCalls: [read] }, { text: "done" }]);
    const { id } = await client.responses.create({ model: "gpt-test", input: "hi" });
    const input: ResponseInputItem[] = [{ type: "function_call_output", call_id: "call_1", output: "ok" }];
    const send = (rest: object) => client.responses.create({ model: "gpt-test", input, ...rest });
    await expect(send({ previous_response_id: "resp_gone" })).rejects.toMatchObject({ code: "previous_response_not_found" });
    await expect(send({})).rejects.toThrow("No tool call found for function call output with call_id call_1.");
    await expect(send({ previous_response_id: id, input: "hi" })).rejects.toThrow("No tool output found for function call call_1.");
    await expect(send({ previous_response_id: id })).resolves.toMatchObject({ output_text: "done" });
  });

  it("[S1] [S2] reads a reference as the stored item it names", async () => {
    const client = await start(() => ({ reasoning: "hm", toolCalls: [{ name: "read", arguments: {} }] }));
    const { output } = await client.responses.create({ model: "gpt-test", input: "hi" });
    const [reasoning, call] = output as [ResponseOutputItem & { type: "reasoning" }, ResponseOutputItem & { type: "function_call" }];
    const done: ResponseInputItem = { type: "function_call_output", call_id: call.call_id, output: "ok" };
    const reference = (id: string | undefined): ResponseInputItem => ({ type: "item_reference", id: id ?? "" });
    const send = (...input: ResponseInputItem[]) => client.responses.create({ model: "gpt-test", input });
    await expect(send(reference(reasoning.id), reference(call.id), done)).resolves.toBeDefined();
    await expect(send(reference(call.id), done)).rejects.toThrow(/without its required 'reasoning' item/);
    await expect(send(reference(reasoning.id), reference(call.id))).rejects.toThrow(/No tool output found/);
    await expect(send(reference("fc_gone"), done)).rejects.toThrow(/Item with id 'fc_gone' not found/);
  });

  it("sends each kind of error in the provider's form", async () => {
    const client = await start([{ error: { status: 429 } }, { text: "partly", error: { status: 500, midStream: true } }], {
      contextWindow: 60,
    });
    await expect(client.responses.create(body())).rejects.toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    const failed = await lastEvent(client.responses.stream(body()));
    expect(failed).toMatchObject({ type: "response.failed", response: { status: "failed", error: { code: "server_error" } } });
    const long = body([{ role: "user", content: "x".repeat(1000) }]);
    await expect(client.responses.create(long)).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
    const streamed = await lastEvent(client.responses.stream(long));
    expect(streamed).toMatchObject({ type: "response.failed", response: { error: { code: "context_length_exceeded" } } });
    const stranger = new OpenAI({ baseURL: server.url, apiKey: "wrong", maxRetries: 0 });
    await expect(stranger.responses.create(body())).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
  });

  it("cuts a stream, and hangs until the client disconnects", async () => {
    const client = await start([{ text: "hello", cutAfterBytes: 1500 }, { hang: true }]);
    await expect(lastEvent(await client.responses.create({ ...body(), stream: true }))).rejects.toThrow();
    await expect(server.requests[0]?.ended).resolves.toBe("cut");
    const abort = new AbortController();
    const answer = client.responses.create(body(), { signal: abort.signal });
    const request = await server.waitForRequest(1);
    abort.abort();
    await expect(answer).rejects.toThrow(/aborted/);
    await expect(request.ended).resolves.toBe("aborted");
  });
});

async function lastEvent(stream: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const event of stream) last = event;
  return last;
}
