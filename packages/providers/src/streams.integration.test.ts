import type { AssistantMessage, MessageBody } from "@skein/contracts";
import { NameMap, openaiNames } from "@skein/engine/formats";
import { buildImage } from "@skein/testkit/histories";
import { describe, expect, test } from "vitest";
import { collect, connect, providers, startServer, textOf, toMessage } from "./testing/models.fixture.ts";

const usage = { inputTokens: 1000, cachedInputTokens: 600, cacheWriteTokens: 100, outputTokens: 50, reasoningTokens: 20 };
const png = buildImage("image/png", { width: 8, height: 8 });

function answersTo(message: AssistantMessage): MessageBody[] {
  return (message.toolCalls ?? []).map((call, i) => ({
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: call.id,
        toolName: call.function.name,
        input: {},
        result: i === 0 ? [{ type: "text", text: "seen" }, png] : "",
        isError: i === 1,
      },
    ],
  }));
}

describe.each(providers)("$name", (provider) => {
  test("[R8] text, reasoning, parallel calls, results with images and errors, and the end of the turn", async () => {
    await using server = await startServer(provider, {
      script: [
        {
          reasoning: ["Let me ", "look 👍🏽."],
          text: ["I will ", "read."],
          toolCalls: [
            { name: sentName(provider.name), arguments: { path: "ä 👍.ts", deep: { list: [1, 2] } }, fragments: 7 },
            { name: "bash", arguments: {} },
          ],
          usage,
        },
        { reasoning: "All there.", text: "Done.", usage },
      ],
    });
    const model = await connect(provider, server);
    const first = await collect(model, {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "go" }, png] },
      ],
    });
    expect(textOf(first)).toBe("I will read.");
    expect(first.filter((event) => event.type === "tool-call")).toMatchObject([
      { name: "files.read", arguments: expect.stringContaining("👍") },
      { name: "bash", arguments: "{}" },
    ]);
    expect(JSON.parse(toMessage(model.id, first).toolCalls?.[0]?.function.arguments ?? "")).toEqual({
      path: "ä 👍.ts",
      deep: { list: [1, 2] },
    });
    expect(first.at(-1)).toMatchObject({ type: "end", stopReason: "tool-calls" });

    const message = toMessage(model.id, first);
    const history: MessageBody[] = [{ role: "user", content: [{ type: "text", text: "go" }, png] }, message, ...answersTo(message)];
    const second = await collect(model, { messages: history });
    expect(textOf(second)).toBe("Done.");
    expect(second.at(-1)).toMatchObject({ type: "end", stopReason: "end" });

    const third: MessageBody[] = [...history, toMessage(model.id, second), { role: "user", content: "and now?" }];
    // The script has ended; the provider must have accepted the request.
    await collect(model, { messages: third }).catch(() => undefined);
    expect(server.violations).toEqual([]);
    expect(server.requests).toHaveLength(3);
  });

  test("[R8] usage as the provider reports it, in one form: input with what is cached, output with reasoning", async () => {
    await using server = await startServer(provider, { script: [{ reasoning: "hm", text: "hi", usage }] });
    const end = (await collect(await connect(provider, server), {})).at(-1);
    if (provider.name === "Mistral") {
      // Not requested, because the real server rejects the option, so not reported: absent, never zero.
      expect(end).toEqual({ type: "end", stopReason: "end", usage: {} });
      return;
    }
    expect(end).toMatchObject({ type: "end", usage: { inputTokens: 1000, outputTokens: 50 } });
    if (end?.type === "end") {
      expect(end.usage.cacheReadTokens).toBe(600);
      expect(end.usage.costUsd).toBeUndefined();
      if (provider.name !== "Anthropic") expect(end.usage.reasoningTokens).toBe(20);
    }
  });

  test("blocks are numbered from 0 in the order in which they begin", async () => {
    await using server = await startServer(provider, {
      script: [
        {
          reasoning: "hm",
          text: "hi",
          toolCalls: [
            { name: "bash", arguments: {} },
            { name: "bash", arguments: {} },
          ],
        },
      ],
    });
    const events = await collect(await connect(provider, server), {});
    const begun = [...new Set(events.flatMap((event) => (event.type === "end" ? [] : [event.index])))];
    expect(begun).toEqual(begun.map((_, i) => i));
    expect(events.flatMap((event) => (event.type === "tool-call" ? [event.index] : []))).toEqual([begun.length - 2, begun.length - 1]);
  });

  test("a refusal is not an answer", async () => {
    await using server = await startServer(provider, { script: [{ refusal: "I cannot help with that." }] });
    const events = await collect(await connect(provider, server), {});
    expect(events.at(-1)).toMatchObject({ type: "end", stopReason: "refusal" });
  });

  test("a response at the output limit is reported as such", async () => {
    const reasons: Record<string, string> = {
      anthropic: "max_tokens",
      "openai-chat": "length",
      "openai-responses": "max_output_tokens",
      gemini: "MAX_TOKENS",
    };
    await using server = await startServer(provider, { script: [{ text: "half", stopReason: reasons[provider.server.api] ?? "" }] });
    const events = await collect(await connect(provider, server), {});
    expect(events.at(-1)).toMatchObject({ type: "end", stopReason: "length" });
  });

  test("[N2] a stop ends the request at once, with its reason", async () => {
    await using server = await startServer(provider, { script: [{ text: "and then", hang: true }] });
    const controller = new AbortController();
    const model = await connect(provider, server);
    const run = async () => {
      for await (const event of model.stream({ messages: [{ role: "user", content: "go" }], tools: [] }, { signal: controller.signal })) {
        if (event.type === "text-delta") controller.abort(new Error("stopped by the user"));
      }
    };
    await expect(run()).rejects.toThrow("stopped by the user");
    await expect(server.requests[0]?.ended).resolves.toBe("aborted");
  });

  test("[N2] a stop before the first byte ends the request too", async () => {
    await using server = await startServer(provider, { script: [{ hang: true }] });
    const controller = new AbortController();
    const running = collect(await connect(provider, server), {}, controller.signal);
    running.catch(() => undefined);
    await server.waitForRequest(0);
    controller.abort(new Error("stopped by the user"));
    await expect(running).rejects.toThrow("stopped by the user");
  });
});

test("OpenAI's refusal to show its thoughts costs the thoughts, not the answer", async () => {
  const provider = providers.find(({ name }) => name === "OpenAI Responses");
  if (provider === undefined) throw new Error("no such provider");
  const refusal = { status: 400, param: "reasoning.summary", code: "unsupported_value", message: "Your organization must be verified." };
  await using server = await startServer(provider, { script: [{ error: refusal }, { text: "hi" }, { text: "again" }] });
  const model = await connect(provider, server);
  expect(textOf(await collect(model, {}))).toBe("hi");
  expect(textOf(await collect(model, {}))).toBe("again");
  expect(server.requests.map(({ body }) => "reasoning" in (body as object))).toEqual([true, false, false]);
});

/** The name that `files.read` got: not all providers allow a dot. */
function sentName(provider: string): string {
  return provider === "Gemini" ? "files.read" : new NameMap(openaiNames, []).map("files.read");
}
