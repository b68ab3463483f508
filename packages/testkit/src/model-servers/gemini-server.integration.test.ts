import { ApiError, type Content, GoogleGenAI, type Part } from "@google/genai";
import { afterEach, describe, expect, it } from "vitest";
import type { Script } from "./reply.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./start-model-server.ts";

let server: ModelServer;
afterEach(() => server.close());

async function start(script: Script, rest: Partial<ModelServerOptions> = {}): Promise<GoogleGenAI> {
  server = await startModelServer({ api: "gemini", script, ...rest });
  return connect(server.apiKey);
}

const connect = (apiKey: string) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } });
const model = "gemini-3-pro-preview";
const hi: Content = { role: "user", parts: [{ text: "hi" }] };
const calls = [
  { name: "read", arguments: { path: "a" } },
  { name: "list", arguments: {} },
];
const respond = (parts: Part[]): Content => ({
  role: "user",
  parts: parts.flatMap(({ functionCall }) =>
    functionCall === undefined ? [] : [{ functionResponse: { ...pick(functionCall), response: { output: "ok" } } }],
  ),
});
const pick = ({ id, name }: { id?: string; name?: string }) => ({ ...(id !== undefined && { id }), ...(name !== undefined && { name }) });

async function read(stream: AsyncIterable<{ candidates?: { content?: Content; finishReason?: string }[] }>) {
  const parts: Part[] = [];
  let finishReason: string | undefined;
  for await (const chunk of stream) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    finishReason = chunk.candidates?.[0]?.finishReason;
  }
  return { parts, finishReason };
}

describe("the Gemini server and its SDK", () => {
  it("streams thoughts, text and calls, the first call signed", async () => {
    const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 9, reasoningTokens: 2 };
    const client = await start([
      { reasoning: "let me", text: ["I ", "read"], toolCalls: calls, usage },
      { text: "hello", usage },
    ]);
    const { parts, finishReason } = await read(await client.models.generateContentStream({ model, contents: [hi] }));
    expect(
      parts
        .filter((part) => part.thought)
        .map((part) => part.text)
        .join(""),
    ).toBe("let me");
    expect(parts.filter((part) => part.text && !part.thought).map((part) => part.text)).toEqual(["I ", "read"]);
    const made = parts.filter((part) => part.functionCall !== undefined);
    expect(made).toMatchObject([
      { functionCall: { id: expect.any(String), name: "read", args: { path: "a" } }, thoughtSignature: expect.any(String) },
      { functionCall: { name: "list", args: {} } },
    ]);
    expect(made[1]?.thoughtSignature).toBeUndefined();
    expect(finishReason).toBe("STOP");
    const whole = await client.models.generateContent({ model, contents: "hi" });
    expect(whole.text).toBe("hello");
    expect(whole.usageMetadata).toMatchObject({
      promptTokenCount: 10,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 2,
      totalTokenCount: 19,
    });
    expect(server.requests.map((request) => request.model)).toEqual([model, model]);
  });

  it("counts tokens and lists its models", async () => {
    const client = await start([], { models: [model] });
    const { totalTokens } = await client.models.countTokens({ model, contents: [hi] });
    expect(totalTokens).toBeGreaterThan(0);
    const names: unknown[] = [];
    for await (const found of await client.models.list({ config: { queryBase: true } })) names.push(found.name);
    expect(names).toEqual([`models/${model}`]);
    await expect(client.models.generateContent({ model: "gemini-none", contents: "hi" })).rejects.toMatchObject({ status: 404 });
  });

  it("[G4] accepts a signature only on its own call and for the model that produced it", async () => {
    const client = await start(() => ({ toolCalls: calls }));
    const first = await read(await client.models.generateContentStream({ model, contents: [hi] }));
    const [signed, other] = first.parts.filter((part) => part.functionCall !== undefined);
    if (signed === undefined || other === undefined) throw new Error("not what the script says");
    const { thoughtSignature, ...unsigned } = signed;
    if (thoughtSignature === undefined) throw new Error("not signed");
    const send = (parts: Part[], to = model) =>
      client.models.generateContent({ model: to, contents: [hi, { role: "model", parts }, respond(parts)] });

    await expect(send([signed, other])).resolves.toBeDefined();
    await expect(send([{ ...unsigned, thoughtSignature: "skip_thought_signature_validator" }, other])).resolves.toBeDefined();
    await expect(send([unsigned, other])).rejects.toThrow(/missing a thought_signature/);
    await expect(send([{ ...other, thoughtSignature }, unsigned])).rejects.toThrow(/Corrupted thought signature/);
    await expect(send([{ ...unsigned, thoughtSignature: "Zm9yZ2Vk" }, other])).rejects.toThrow(/Corrupted thought signature/);
    await expect(send([signed, other], "gemini-3-flash")).rejects.toThrow(/Corrupted thought signature/);
    expect(new Set(server.violations.map(({ rule }) => rule))).toEqual(new Set(["G4"]));
  });

  it("refuses invalid requests, and sends each kind of error in the provider's form", async () => {
    const client = await start(
      [
        { error: { status: 429, retryAfterSec: 34 } },
        { error: { status: 503 } },
        { text: "partly", error: { status: 500, midStream: true } },
      ],
      { contextWindow: 100 },
    );
    const failure = async (contents: Content[] = [hi], from = client) => {
      const error = await from.models.generateContent({ model, contents }).catch((thrown: unknown) => thrown);
      if (!(error instanceof ApiError)) throw error;
      return { status: error.status, ...JSON.parse(error.message).error };
    };
    await expect(failure([hi, { role: "model", parts: [{ text: "yes" }] }])).resolves.toEqual({
      code: 400,
      status: "INVALID_ARGUMENT",
      message: "Please ensure that multiturn requests ends with a user role or a function response.",
    });
    await expect(failure()).resolves.toMatchObject({
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }],
    });
    await expect(failure()).resolves.toMatchObject({ code: 503, status: "UNAVAILABLE" });
    const stream = await client.models.generateContentStream({ model, contents: [hi] });
    // The SDK recognizes the error only in a packet of its own; after other bytes it only sees a broken stream.
    await expect(read(stream)).rejects.toThrow(/INTERNAL|Incomplete JSON segment/);
    await expect(failure([{ role: "user", parts: [{ text: "x".repeat(1000) }] }])).resolves.toMatchObject({
      message: expect.stringMatching(/^The input token count \(\d+\) exceeds the maximum number of tokens allowed \(100\)\.$/),
    });
    await expect(failure([hi], connect("wrong"))).resolves.toMatchObject({
      code: 400,
      message: "API key not valid. Please pass a valid API key.",
      details: [{ reason: "API_KEY_INVALID" }],
    });
  });

  it("cuts a stream, and hangs until the client disconnects", async () => {
    const client = await start([
      { text: "hello", cutAfterBytes: 200 },
      { text: "begun", hang: true },
    ]);
    await expect(client.models.generateContentStream({ model, contents: [hi] }).then(read)).rejects.toThrow();
    await expect(server.requests[0]?.ended).resolves.toBe("cut");
    const abort = new AbortController();
    const stream = await client.models.generateContentStream({ model, contents: [hi], config: { abortSignal: abort.signal } });
    await stream.next();
    abort.abort();
    await expect(read(stream)).rejects.toThrow(/abort/i);
    await expect(server.requests[1]?.ended).resolves.toBe("aborted");
  });
});
