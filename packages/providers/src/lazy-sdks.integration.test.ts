import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Loads the package in a separate process, creates a model of each kind, and prints which SDK was imported when. */
const program = `
  import { registerHooks } from "node:module";
  const loaded = [];
  const sdks = ["@anthropic-ai/sdk", "openai", "@google/genai"];
  registerHooks({ resolve(name, context, next) { if (sdks.includes(name)) loaded.push(name); return next(name, context); } });
  const { createModel } = await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
  const environment = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };
  const ids = ["scripted/demo", "openai/a", "openai-chat/a", "gemini/a", "anthropic/a"];
  const models = await Promise.all(ids.map((id) => createModel(id, { environment })));
  const before = [...loaded];
  const stream = models.at(-1).stream({ messages: [{ role: "user", content: "go" }], tools: [] }, { signal: new AbortController().signal });
  await stream[Symbol.asyncIterator]().next().catch(() => undefined);
  console.log(JSON.stringify({ before, after: loaded }));
`;

test("no SDK is loaded until a model of its provider is used", async () => {
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "--no-warnings", "-e", program], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
  });
  expect(JSON.parse((await run).stdout)).toEqual({ before: [], after: ["@anthropic-ai/sdk"] });
});
