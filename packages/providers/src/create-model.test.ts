import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageBody } from "@skein/contracts";
import { type Model, ModelError, type ModelEvent, type ToolDefinition } from "@skein/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createModel } from "./create-model.ts";
import { listModels } from "./list-models.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "skein-scripts-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const anyTool: ToolDefinition = { name: "todo", description: "", inputSchema: {} };

async function collect(model: Model, messages: MessageBody[], tools = [anyTool]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ messages, tools }, { signal: new AbortController().signal })) events.push(event);
  return events;
}

const textOf = (events: ModelEvent[]) => events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
const user = (content: string): MessageBody => ({ role: "user", content });

async function writeScript(name: string, content: unknown): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

describe("models", () => {
  test("[N4] every listed model can be created with no key and no network", async () => {
    for (const info of listModels({ environment: {} })) expect((await createModel(info.id, { environment: {} })).id).toBe(info.id);
    expect(listModels({ environment: {} })[0]).toMatchObject({ id: "scripted/demo", name: "Demo" });
  });

  test.each(["nowhere/claude", "demo", "scripted/", "scripted/nothing", "scripted/../x"])(
    "an id that nothing answers to is an unknown model that names a usable one: %s",
    async (id) => {
      await expect(createModel(id, { scriptsDir: directory, environment: {} })).rejects.toSatisfy(
        (error) => error instanceof ModelError && error.kind === "unknown-model" && error.message.includes(id),
      );
    },
  );

  test("the error for an unknown model lists alternatives", async () => {
    await expect(createModel("nowhere/gpt", { environment: {} })).rejects.toThrow(/Available here: scripted\/demo/);
  });
});

describe("providers", () => {
  const environment = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" };

  test.each([
    ["anthropic/claude-sonnet-5-5", 1_000_000],
    ["anthropic/claude-not-yet-known", 128_000],
    ["openai/gpt-5.6-sol", 1_050_000],
    ["openai-chat/some-model", 128_000],
    ["openai-chat/meta-llama/llama", 128_000],
    ["gemini/gemini-2.5-pro", 1_048_576],
  ])("[N1] %s has a window of %i tokens", async (id, contextWindow) => {
    expect(await createModel(id, { environment })).toMatchObject({ id, contextWindow });
  });

  test("[N1] a named endpoint needs no key, and may declare its context window", async () => {
    const endpoints = { ollama: { baseUrl: "http://127.0.0.1:11434/v1", contextWindow: 32_768 } };
    const model = await createModel("openai-chat/ollama/org/qwen", { environment: {}, endpoints });
    expect(model).toMatchObject({ id: "openai-chat/ollama/org/qwen", contextWindow: 32_768 });
    await expect(createModel("openai-chat/ollama/", { environment: {}, endpoints })).rejects.toMatchObject({ kind: "unknown-model" });
  });

  test("[N1] OPENAI_BASE_URL alone is enough for a custom server", async () => {
    const model = await createModel("openai-chat/local", { environment: { OPENAI_BASE_URL: "http://127.0.0.1:1234/v1" } });
    expect(model.id).toBe("openai-chat/local");
  });

  test("a key lists the models of its provider, before the built-in one", () => {
    const ids = listModels({ environment: { GEMINI_API_KEY: "k", OPENAI_API_KEY: " " } }).map((model) => model.id);
    expect(ids[0]).toMatch(/^gemini\//);
    expect(ids.at(-1)).toBe("scripted/demo");
    expect(ids.some((id) => id.startsWith("openai/"))).toBe(false);
  });
});

describe("scripts", () => {
  test("[X7] read no file unless the developer setting is on; the demo needs none", async () => {
    const file = await writeScript("any.json", { steps: [{ text: "played" }] });
    for (const options of [{}, { scripts: false }, { scriptsDir: directory }]) {
      for (const id of [`scripted/${file}`, "scripted/any", "scripted/any.json", "scripted//etc/hostname.json"]) {
        await expect(createModel(id, { cwd: directory, ...options }), id).rejects.toThrow(
          /models from scripts are off.*SKEIN_SCRIPTED_MODELS=1/,
        );
      }
    }
    expect((await createModel("scripted/demo")).id).toBe("scripted/demo");
    await expect(createModel("nowhere/x", { environment: {} })).rejects.not.toThrow(/path to a script/);
  });

  test("[N4] a script answers by the number of assistant messages since the last user message, then reports its end", async () => {
    await writeScript("two.json", {
      steps: [
        { reasoning: "hm", text: "one 👍🏽 two three four", toolCalls: [{ name: "list", arguments: { path: "." } }] },
        { text: "done" },
      ],
    });
    const model = await createModel("scripted/two", { scripts: true, scriptsDir: directory });
    const first = await collect(model, [user("go")]);
    expect(textOf(first)).toBe("one 👍🏽 two three four");
    expect(first.filter((event) => event.type === "tool-call")).toEqual([
      { type: "tool-call", index: 2, id: "call_t1_s0_0", name: "list", arguments: '{"path":"."}' },
    ]);
    expect(first.at(-1)).toEqual({
      type: "end",
      stopReason: "tool-calls",
      usage: { inputTokens: 8, outputTokens: 11, reasoningTokens: 1, costUsd: 0 },
    });
    const assistant: MessageBody = { role: "assistant", content: "x" };
    expect(textOf(await collect(model, [user("go"), assistant]))).toBe("done");
    expect(textOf(await collect(model, [user("go"), assistant, assistant]))).toMatch(/no further steps/);
    expect(textOf(await collect(model, [user("go"), assistant, user("again")]))).toMatch(/^one/);
  });

  test("a call id that the conversation already has is not reused", async () => {
    const file = await writeScript("call.json", { steps: [{ toolCalls: [{ name: "list", arguments: {} }] }] });
    const model = await createModel(`scripted/${file}`, { scripts: true });
    const earlier: MessageBody = {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "call_t1_s0_0", type: "function", function: { name: "list", arguments: "{}" } }],
    };
    const events = await collect(model, [earlier, user("summarised")]);
    expect(events[0]).toMatchObject({ type: "tool-call", id: "call_t2_s0_0" });
  });

  test("a scripted error is thrown as a ModelError after the output before it", async () => {
    const file = await writeScript("error.json", { steps: [{ text: "half", error: { kind: "overloaded", message: "busy" } }] });
    const events: ModelEvent[] = [];
    const model = await createModel(`scripted/${file}`, { scripts: true });
    const run = async () => {
      for await (const event of model.stream({ messages: [user("x")], tools: [] }, { signal: new AbortController().signal }))
        events.push(event);
    };
    await expect(run()).rejects.toMatchObject({ kind: "overloaded", message: "busy" });
    expect(textOf(events)).toBe("half");
  });

  test("a script that is missing, not JSON or not a script is a clear ModelError", async () => {
    await expect(createModel(`scripted/${join(directory, "absent.json")}`, { scripts: true })).rejects.toMatchObject({
      kind: "unknown-model",
    });
    const broken = await writeScript("broken.json", "{");
    await expect(createModel(`scripted/${broken}`, { scripts: true })).rejects.toMatchObject({
      kind: "bad-request",
      message: expect.stringContaining("not JSON"),
    });
    await writeScript("wrong.json", { steps: [{ txt: "typo" }] });
    await expect(createModel("scripted/wrong.json", { scripts: true, cwd: directory })).rejects.toThrow(/txt/);
  });
});

describe("the demo", () => {
  test("[N2] an aborted stream throws the signal's reason at once", async () => {
    const model = await createModel("scripted/demo", { pace: 1_000_000 });
    const controller = new AbortController();
    const run = async () => {
      for await (const _ of model.stream({ messages: [user("x")], tools: [anyTool] }, { signal: controller.signal }));
    };
    const running = run();
    controller.abort(new Error("stopped by the user"));
    await expect(running).rejects.toThrow("stopped by the user");
  });

  test("[N4] it quotes the user and answers in their language", async () => {
    const model = await createModel("scripted/demo", { pace: 0 });
    expect(textOf(await collect(model, [user("Fix the login page")]))).toContain("> Fix the login page");
    const chinese = textOf(await collect(model, [user("修复登录页面")]));
    expect(chinese).toContain("> 修复登录页面");
    expect(chinese).toContain("演示");
  });

  test("a conversation whose beginning is a summary is a continued one", async () => {
    const model = await createModel("scripted/demo", { pace: 0 });
    const events = await collect(model, [user("[Previous conversation summary]\nall of it"), user("go on")]);
    expect(events.find((event) => event.type === "tool-call")).toMatchObject({ name: "read" });
  });

  test("the same request gives the same events", async () => {
    const model = await createModel("scripted/demo", { pace: 0 });
    expect(await collect(model, [user("a")])).toEqual(await collect(model, [user("a")]));
  });

  test("without tools it explains that instead of calling any", async () => {
    const events = await collect(await createModel("scripted/demo", { pace: 0 }), [user("a")], []);
    expect(events.some((event) => event.type === "tool-call")).toBe(false);
    expect(events.at(-1)).toMatchObject({ type: "end", stopReason: "end" });
  });
});
