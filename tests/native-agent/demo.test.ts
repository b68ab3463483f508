import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentOutput, ConversationMessage, ToolExecutionMessage } from "@skein/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { createRepository, type NativeRun, processRun, type Repository, startNativeRun } from "./native-run.ts";

let repository: Repository;
afterEach(() => repository.remove());

const cardsOf = (shown: ConversationMessage[]) =>
  shown.filter((message): message is ToolExecutionMessage => message.messageType === "tool_execution");
const answerOf = (shown: ConversationMessage[]) => shown.filter((message) => message.messageType === "text").at(-1)?.content ?? "";
const resultsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "tool-result");

describe("the demo model in a real repository", () => {
  test("[N4] it does what its cards show, and its answer is true", async () => {
    repository = await createRepository({
      "README.md": "# Weather station\n\nText.\n",
      "src/main.ts": "// TODO: rain\n",
      "docs/a.md": "a\n",
    });
    const run = await startNativeRun({ directory: repository.directory, message: "Add a rain gauge" });
    expect(await run.exitCode).toBe(0);
    expect(run.outputs.at(-1)).toMatchObject({ type: "end", status: "success", usage: { costUsd: 0 } });
    const { shown } = processRun(run.outputs, "Add a rain gauge");
    const cards = cardsOf(shown);
    expect(cards.map((card) => [card.metadata.toolName, card.metadata.state])).toEqual([
      ["todo", "completed"],
      ["list", "completed"],
      ["glob", "completed"],
      ["read", "completed"],
      ["grep", "completed"],
      ["todo", "completed"],
      ["write", "completed"],
      ["edit", "completed"],
      ["todo", "completed"],
      ["bash", "completed"],
      ["bash", "failed"],
      ["todo", "completed"],
    ]);
    expect(cards.map((card) => card.metadata.details?.type)).toEqual([
      "todoList",
      "fileList",
      "fileList",
      "fileContent",
      "searchResults",
      "todoList",
      "diff",
      "diff",
      "todoList",
      "commandOutput",
      "commandOutput",
      "todoList",
    ]);
    const file = await readFile(join(repository.directory, "skein-demo.md"), "utf8");
    expect(file).toContain("Add a rain gauge");
    expect(file).toContain("Status: edited by the demo");
    expect(shown.some((message) => message.messageType === "thinking")).toBe(true);
    const answer = answerOf(shown);
    for (const fact of [
      "3 entries",
      "3 files in all",
      "`README.md` (3 lines",
      "# Weather station",
      "1 match",
      "?? skein-demo.md",
      "exit code 0",
      "exit code 2",
    ]) {
      expect(answer).toContain(fact);
    }
  });

  test("[P6] [N4] a second message continues the conversation and the file", async () => {
    repository = await createRepository({ "main.py": "print(1)\n" });
    const first = await startNativeRun({ directory: repository.directory, message: "one" });
    await first.exitCode;
    const { history } = processRun(first.outputs, "one");
    const second = await startNativeRun({ directory: repository.directory, message: "and two", history, number: 2 });
    expect(await second.exitCode).toBe(0);
    const { shown } = processRun(second.outputs, "and two", 2);
    expect(cardsOf(shown).map((card) => [card.metadata.toolName, card.metadata.state])).toEqual([
      ["read", "completed"],
      ["edit", "completed"],
      ["bash", "completed"],
    ]);
    expect(await readFile(join(repository.directory, "skein-demo.md"), "utf8")).toContain("And then you wrote: and two");
    const ids = (run: NativeRun) => run.outputs.flatMap((output) => (output.type === "tool-use" ? [output.toolUseId] : []));
    expect(new Set([...ids(first), ...ids(second)]).size).toBe(ids(first).length + ids(second).length);
  });

  test("[N4] an empty repository and a Chinese message work as well", async () => {
    repository = await createRepository({});
    const run = await startNativeRun({ directory: repository.directory, message: "修复登录" });
    expect(await run.exitCode).toBe(0);
    const { shown } = processRun(run.outputs, "修复登录");
    expect(answerOf(shown)).toContain("没有可读的文本文件");
    expect(cardsOf(shown).map((card) => card.metadata.toolName)).not.toContain("read");
    expect(await readFile(join(repository.directory, "skein-demo.md"), "utf8")).toContain("状态：已由演示修改");
  });

  test("[E10] [N4] when denied, it reports that and continues", async () => {
    repository = await createRepository({ "README.md": "x\n" });
    const run = await startNativeRun({
      directory: repository.directory,
      message: "go",
      permissionMode: "ask",
      onOutput(output, { child, agent }) {
        if (output.type !== "approval-request") return;
        const isFirstCommand = JSON.stringify(output.input).includes("git status");
        const decision = isFirstCommand ? "allow" : "deny";
        const line = agent.encodeApproval({
          toolUseId: output.toolUseId,
          requestId: undefined,
          toolName: output.toolName,
          input: output.input,
          decision,
          reason: "hands off",
          grant: undefined,
          answers: undefined,
        });
        child.stdin.write(line + line);
      },
    });
    expect(await run.exitCode).toBe(0);
    await expect(access(join(repository.directory, "skein-demo.md"))).rejects.toThrow();
    expect(run.outputs.filter((output) => output.type === "approval-request").map((output) => output.toolName)).toEqual([
      "write",
      "bash",
      "bash",
    ]);
    const { shown } = processRun(run.outputs, "go");
    expect(shown.some((message) => message.content.includes("hands off") && message.messageType === "text")).toBe(true);
    expect(answerOf(shown)).toContain("Did **not** write");
    expect(answerOf(shown)).toContain("`ls no-such-file-here` did not run.");
    const todos = cardsOf(shown).filter((card) => card.metadata.toolName === "todo");
    expect(todos.at(-1)?.metadata.output).toMatch(/^\[x\].*\n\[x\].*\n\[-\].*\n\[-\]/);
  });
});

describe("the program", () => {
  test.each(["stop line", "end of stdin", "SIGTERM"])("[N2] %s cancels the turn and ends the program", async (how) => {
    repository = await createRepository({ "README.md": "x\n" });
    const script = join(repository.directory, "../sleep.json");
    await writeFile(script, JSON.stringify({ steps: [{ toolCalls: [{ name: "bash", arguments: { command: "echo on; sleep 300" } }] }] }));
    const run = await startNativeRun({ directory: repository.directory, message: "go", model: `scripted/${script}` });
    await run.next("tool-progress");
    if (how === "stop line") run.child.stdin.write('{"type":"stop"}\n');
    else if (how === "end of stdin") run.child.stdin.end();
    else run.child.kill("SIGTERM");
    expect(await run.exitCode).toBe(0);
    expect(resultsOf(run.outputs)).toMatchObject([{ state: "interrupted", structured: { stdout: "on\n" } }]);
    expect(run.outputs.at(-1)).toMatchObject({ type: "end", status: "cancelled" });
  });

  test("[N2] a program whose reader is gone stops", async () => {
    repository = await createRepository({});
    const script = join(repository.directory, "../talk.json");
    const command = "while :; do echo on; sleep 0.05; done";
    await writeFile(script, JSON.stringify({ steps: [{ toolCalls: [{ name: "bash", arguments: { command } }] }] }));
    const run = await startNativeRun({ directory: repository.directory, message: "go", model: `scripted/${script}` });
    await run.next("tool-progress");
    run.child.stdout.destroy();
    expect(await run.exitCode).toBe(0);
  });

  test("an unknown model is a failed end with the reason, and exit code 1", async () => {
    repository = await createRepository({});
    const run = await startNativeRun({ directory: repository.directory, message: "go", model: "nobody/x" });
    expect(await run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject([
      {
        type: "end",
        status: "failed",
        reason: { code: "model-not-known", model: "nobody/x", usable: ["scripted/demo"], hasScripts: true },
      },
    ]);
  });
});
