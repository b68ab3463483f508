import { builtinModules } from "node:module";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { build, type Rollup } from "vite";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const entryId = "\0skein-entry";

/** Bundles code as a page would get it; a Node module in it is an error instead of being replaced by a stub. */
async function bundleForBrowser(code: string): Promise<string> {
  const output = await build({
    root: join(root, "packages/engine"),
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "no-node-modules",
        enforce: "pre",
        resolveId(source, importer) {
          if (source.endsWith("skein-entry")) return entryId;
          if (source.startsWith("node:") || builtinModules.includes(source)) this.error(`${source} is imported by ${importer}`);
          const [, name = "", module = "index"] = /^@skein\/([^/]+)(?:\/(.+))?$/.exec(source) ?? [];
          return name === "" ? undefined : join(root, "packages", name, "src", `${module}.ts`);
        },
        load: (id) => (id === entryId ? code : undefined),
      },
    ],
    build: { write: false, minify: false, lib: { entry: "skein-entry", formats: ["iife"], name: "skein", fileName: "skein" } },
  });
  const [result] = output as Rollup.RollupOutput[];
  const [chunk] = result?.output ?? [];
  if (chunk?.type !== "chunk") throw new Error("vite gave no chunk");
  return chunk.code;
}

it("the engine runs in a browser: its bundle holds no Node module, and works without one", async () => {
  const code = await bundleForBrowser('export * from "@skein/engine";');
  // An empty global: the bundle uses no browser API, and Node's are missing.
  const result: unknown = new Script(`${code}
    const processor = skein.createMessageProcessor({ executionId: "exe_1" });
    const use = { type: "tool-use", messageId: "msg_1", index: 0, toolUseId: "t", toolName: "edit", input: { path: "a.ts" }, at: 1 };
    const structured = { filePath: "a.ts", oldContent: "1\\n", newContent: "2\\n" };
    const end = { type: "tool-result", resultId: "msg_2", toolUseId: "t", output: "ok", isError: false, structured, at: 5 };
    processor.apply(use);
    const { conversation, messages } = processor.apply(end);
    const request = new skein.RequestMessageBuilder().setMessages([{ id: 1, body: { role: "user", content: "hi" } }]).build();
    JSON.stringify({ card: conversation[0], stored: messages.length, request, lines: conversation[0].metadata.details.data.hunks[0].lines });
  `).runInContext(createContext({}));
  expect(JSON.parse(String(result))).toMatchObject({
    card: { id: "msg_1-0-merged", content: "Updated a.ts", metadata: { state: "completed", durationMs: 4 } },
    stored: 1,
    request: [{ role: "user", content: "hi" }],
    lines: ["-1", "+2"],
  });
});

it("a Node module that leaks in is caught", async () => {
  await expect(bundleForBrowser('export { readFile } from "node:fs/promises";')).rejects.toThrow(/node:fs\/promises is imported by/);
});
