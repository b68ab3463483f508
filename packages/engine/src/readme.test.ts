import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parsePresentation } from "./tools/parse-presentation.ts";
import { shippedToolProcessors } from "./tools/shipped-tool-processors.ts";
import type { ToolProcessor } from "./tools/tool-processor.ts";
import { createToolRegistry } from "./tools/tool-registry.ts";

const folder = join(import.meta.dirname, "..");

it("the program in the README runs and prints the documented output", () => {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const [, code = "", printed = ""] = /```ts\n(.*?)```.*?```text\n(.*?)```/s.exec(readme) ?? [];
  const args = ["--input-type=module-typescript", "--disable-warning=ExperimentalWarning", "--eval", code];
  expect(execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" })).toBe(printed);
});

it("[T8] the tool processor in the README shows tools as documented", async () => {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const [, code = ""] = /```js\n(.*?)```/s.exec(readme) ?? [];
  const { default: processor }: { default: ToolProcessor } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const present = createToolRegistry([...shippedToolProcessors, processor]);
  const observe = (toolName: string, state: "running" | "completed") => {
    const observation = { toolName, input: { target: "staging" }, output: "ok", isError: false, state };
    return parsePresentation(present(observation), observation);
  };
  expect(observe("deploy", "running")).toEqual({ summary: { action: "text", subject: "Deploying to staging", state: "running" } });
  expect(observe("mcp__release__any", "completed")).toEqual({
    summary: { action: "text", subject: "Deployed to staging", state: "completed" },
    details: { type: "commandOutput", data: { command: "deploy staging", stdout: "ok", stderr: "", exitCode: 0 } },
  });
});
