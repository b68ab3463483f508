import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentOutput, type MessageBody, type MessageEntity, messageIdSchema } from "@skein/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { createRepository, type NativeRun, processRun, type Repository, startNativeRun } from "./native-run.ts";

let repository: Repository;
afterEach(() => repository.remove());

const resultsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "tool-result");

interface ScriptStep {
  text?: string;
  toolCalls?: { name: string; arguments: object }[];
}

async function writeScript(steps: ScriptStep[]): Promise<string> {
  const file = join(repository.directory, "../script.json");
  await writeFile(file, JSON.stringify({ steps }));
  return `scripted/${file}`;
}
const bash = (command: string, more: object = {}) => ({ name: "bash", arguments: { command, ...more } });

function answer(run: NativeRun, output: Extract<AgentOutput, { type: "approval-request" }>, answers?: Record<string, string>): void {
  const { toolUseId, toolName, input, grant } = output;
  run.child.stdin.write(
    run.agent.encodeApproval({
      toolUseId,
      toolName,
      input,
      grant,
      requestId: undefined,
      decision: "allow-always",
      reason: null,
      answers,
    }),
  );
}

/** A zombie counts as dead. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

describe("permissions and questions", () => {
  test("[E10] permanent permissions do not ask; new ones apply to the execution; answers reach the model", async () => {
    repository = await createRepository({});
    const question = { question: "Which colour?", options: [{ label: "red" }, { label: "blue" }] };
    const model = await writeScript([
      {
        toolCalls: [
          bash("git status"),
          bash("git log --oneline"),
          bash("git log -1"),
          bash("git status; git log"),
          bash("git log --output=x"),
        ],
      },
      { toolCalls: [{ name: "ask", arguments: { questions: [question] } }] },
      { text: "done" },
    ]);
    const run = await startNativeRun({
      directory: repository.directory,
      message: "go",
      model,
      permissionMode: "ask",
      grants: [{ type: "read-only-command", tool: "bash", program: "git status" }],
      onOutput(output, { child }) {
        if (output.type !== "approval-request") return;
        answer(run, output, output.toolName === "ask" ? { "Which colour?": "blue" } : undefined);
        expect(child.exitCode).toBeNull();
      },
    });
    expect(await run.exitCode).toBe(0);
    const requests = run.outputs.filter((output) => output.type === "approval-request");
    expect(requests.map(({ toolName, input, grant }) => [toolName, (input as { command?: string }).command, grant])).toEqual([
      ["bash", "git log --oneline", { type: "read-only-command", tool: "bash", program: "git log" }],
      ["bash", "git log --output=x", { type: "command", tool: "bash", command: "git log --output=x" }],
      ["ask", undefined, undefined],
    ]);
    expect(resultsOf(run.outputs).at(-1)).toMatchObject({ output: "Which colour?\n→ blue" });
    const { shown } = processRun(run.outputs, "go");
    expect(shown.find((message) => message.content.startsWith("Asked"))).toMatchObject({
      metadata: { details: { type: "question", data: { answers: { "Which colour?": "blue" } } } },
    });
  });
});

describe("steering", () => {
  test("[E4] a message is accepted once, also when it is sent again, and the resulting history is valid", async () => {
    repository = await createRepository({});
    const model = await writeScript([{ toolCalls: [bash("echo hello")] }, { text: "done" }]);
    const run = await startNativeRun({
      directory: repository.directory,
      message: "go",
      model,
      permissionMode: "ask",
      onOutput(output) {
        if (output.type !== "approval-request") return;
        // Lines are read in order: the message is there before the call may run.
        const line = run.agent.encodeSteering?.({ id: messageIdSchema.parse("msg_steer"), text: "also this", images: [] }) ?? "";
        run.child.stdin.write(line + line);
        answer(run, output);
      },
    });
    expect(await run.exitCode).toBe(0);
    const taken = run.outputs.filter((output) => output.type === "user-message");
    expect(taken).toMatchObject([{ messageId: "msg_steer", text: "also this" }]);
    const { history } = processRun(run.outputs, "go");
    expect(history.map(({ body }) => body.role)).toEqual(["user", "assistant", "tool", "user", "assistant", "tool", "assistant"]);
  });
});

describe("background jobs", () => {
  const server = bash("sleep 300 & echo $$ $! > pids; wait", { background: true });
  const pidsOf = async () => (await readFile(join(repository.directory, "pids"), "utf8")).trim().split(" ").map(Number);

  test("[Q6] a job ends completely with its execution, and the user is notified", async () => {
    repository = await createRepository({});
    const model = await writeScript([{ toolCalls: [server, bash("while [ ! -s pids ]; do sleep 0.02; done")] }, { text: "done" }]);
    const run = await startNativeRun({ directory: repository.directory, message: "go", model });
    expect(await run.exitCode).toBe(0);
    expect(run.outputs.at(-2)).toMatchObject({ type: "notice", code: "jobs-ended" });
    expect((await pidsOf()).filter(isAlive)).toEqual([]);
  });

  test("[Q6] a stop ends jobs, too", async () => {
    repository = await createRepository({});
    const wait = bash("while [ ! -s pids ]; do sleep 0.02; done; echo up; sleep 300");
    const model = await writeScript([{ toolCalls: [server, wait] }]);
    const run = await startNativeRun({ directory: repository.directory, message: "go", model });
    await run.next("tool-progress");
    const pids = await pidsOf();
    expect(pids.map(isAlive)).toEqual([true, true]);
    run.child.kill("SIGTERM");
    expect(await run.exitCode).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

test("[N3] [N1] the model gets the project's instructions and skills, and commands in expanded form, now and later", async () => {
  repository = await createRepository({
    "AGENTS.md": "Use tabs.\n",
    ".claude/skills/release/SKILL.md": "---\ndescription: How to release\n---\n",
    ".skein/commands/fix.md": "Fix issue $1.\n",
  });
  const history: MessageEntity[] = [
    { id: 1, body: { role: "user", content: "/fix 1" } },
    { id: 2, body: { role: "assistant", content: "done" } },
  ];
  const run = await startNativeRun({ directory: repository.directory, message: "/fix 2", history, program: "echo" });
  expect(await run.exitCode).toBe(0);
  const said = run.outputs.flatMap((output) => (output.type === "text" ? [output.text] : [])).join("");
  const [system, ...rest] = JSON.parse(said) as MessageBody[];
  expect(rest).toEqual([
    { role: "user", content: "Fix issue 1." },
    { role: "assistant", content: "done" },
    { role: "user", content: "Fix issue 2." },
  ]);
  for (const part of ["Use tabs.", "release: How to release", "You are Skein's coding agent"]) expect(system?.content).toContain(part);
  expect(run.outputs.at(-1)).toMatchObject({ status: "success", usage: { costUsd: 0.5 } });
});
