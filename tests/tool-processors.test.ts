import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolExecutionMessage, ToolProcessorList } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { openAgentTask } from "./support/agent-task.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const files = {
  "deploy.ts": `
    import type { ToolObservation, ToolProcessor } from "@skein/engine";
    const processor: ToolProcessor = {
      toolNames: ["bash"],
      present({ input, output, state }: ToolObservation) {
        const { command } = input as { command: string };
        const details = { type: "plan" as const, data: { plan: "printed " + output.split("\\n")[0] } };
        return { summary: "Deploy: " + command + " is " + state, ...(state === "running" ? {} : { details }) };
      },
    };
    export default processor;`,
  "by-form.js": `
    export const processors = [{ toolNames: [], recognises: (name) => name.startsWith("gr"), present: () => ({ summary: { action: "search", subject: "by form", state: "completed" } }) }];`,
  "throws.js": `export default { toolNames: ["glob"], present() { throw new TypeError("no such field"); } };`,
  "loops.ts": `export const processor = { toolNames: ["list"], present() { for (;;); } };`,
  "garbage.js": `
    export default {
      toolNames: ["read"],
      present: ({ state }) => state === "running" ? 7 : { summary: "Mine", details: { type: "diff", data: { filePath: 3 } } },
    };`,
  "broken.ts": `export default {`,
  "never.js": `while (true);`,
};

test("[T8] the user's own processors present tools; one that throws, hangs or returns garbage affects only its own cards, and is named", async () => {
  const gate = join(newFolder("gate"), "open");
  const model = newScriptedModel([
    {
      toolCalls: [
        bash("echo hello"),
        { name: "grep", arguments: { pattern: "x" } },
        { name: "glob", arguments: { pattern: "*.md" } },
        { name: "list", arguments: {} },
        { name: "list", arguments: { path: "." } },
        { name: "read", arguments: { path: "README.md" } },
        { name: "todo", arguments: { items: [] } },
      ],
    },
    { toolCalls: [bash(`until [ -e ${gate} ]; do sleep 0.05; done`)] },
    { text: "Done." },
  ]);
  const repository = newRepository();
  // files in a repository are never loaded
  mkdirSync(join(repository, "tool-processors"));
  writeFileSync(join(repository, "tool-processors/evil.js"), files["throws.js"].replace("glob", "todo"));
  const task = await openAgentTask({ repository, attempt: { agent: "native", model } });
  const { server } = task;
  const folder = join(server.home, "tool-processors");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync(join(repository, "tool-processors/evil.js"), join(folder, "linked.js"));
  const cards = async () =>
    (await task.conversation()).filter((message): message is ToolExecutionMessage => message.messageType === "tool_execution");
  const shown = async () =>
    (await cards()).map(({ content, metadata }) => [content, metadata.details?.type, metadata.processorFailure?.file ?? null]);

  const executionId = await task.send("go");
  const expected = [
    ["Deploy: echo hello is completed", "plan", null],
    ["Searched for by form", undefined, null],
    ["Found 1 file matching *.md", "fileList", "throws.js"],
    ["Listed files", "fileList", "loops.ts"],
    ["Listed files", "fileList", "loops.ts"],
    ["Read README.md", "fileContent", "garbage.js"],
    ["Updated todo list", "todoList", null],
  ];
  await vi.waitFor(async () => expect((await shown()).slice(0, 7)).toEqual(expected), { timeout: 45_000, interval: 200 });
  expect((await cards())[0]?.metadata.details).toEqual({ type: "plan", data: { plan: "printed hello" } });
  const reasons = Object.fromEntries(
    (await cards()).map(({ metadata }) => [metadata.processorFailure?.file, metadata.processorFailure?.reason]),
  );
  expect(reasons).toMatchObject({
    "throws.js": "present threw TypeError: no such field",
    "loops.ts": expect.stringMatching(/^it did not answer within 500 ms/),
    "garbage.js": expect.stringMatching(/^present returned invalid details: details\.data\.filePath: /),
  });

  // a server that is killed and reads the log again shows the same, under the same ids and revisions
  const before = (await cards()).slice(0, 7);
  await server.kill();
  await server.start();
  await vi.waitFor(async () => expect((await cards()).slice(0, 7)).toEqual(before), { timeout: 45_000, interval: 200 });

  const list = await server.api.request<ToolProcessorList>("GET", "/api/tool-processors");
  expect(list.folder).toBe(folder);
  const byFile = Object.fromEntries(list.files.map(({ file, toolNames, state, error }) => [file, [state, toolNames, error?.reason ?? ""]]));
  expect(byFile).toEqual({
    "broken.ts": ["failed", [], expect.stringMatching(/^it could not be loaded: SyntaxError/)],
    "by-form.js": ["ready", [], ""],
    "deploy.ts": ["ready", ["bash"], ""],
    "garbage.js": ["ready", ["read"], expect.stringContaining("invalid details")],
    "linked.js": ["failed", [], expect.stringContaining("no regular file")],
    "loops.ts": ["disabled", ["list"], expect.stringContaining("did not answer")],
    "never.js": ["failed", [], "it did not load within 5 s"],
    "throws.js": ["ready", ["glob"], "present threw TypeError: no such field"],
  });

  // a file that was changed is loaded again with the next execution
  writeFileSync(gate, "");
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  writeFileSync(join(folder, "throws.js"), `export default { toolNames: ["glob"], present: () => ({ summary: "Fixed\\nlines" }) };`);
  expect(await task.run("again")).toMatchObject({ status: "success" });
  expect((await shown())[10]).toEqual(["Fixed lines", undefined, null]);
});
