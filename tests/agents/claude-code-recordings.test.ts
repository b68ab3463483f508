import type { Approval, Attempt, ConversationMessage, Execution, JsonValue } from "@skein/contracts";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { readTrace, replay } from "../../packages/agents/src/claude-code/replay.fixture.ts";
import { toProgramArgs } from "../../packages/host/src/program-args.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import { waitForEnd } from "../support/execution-end.ts";
import type { RealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

/* Recordings of four versions, replayed by a stand-in for Claude Code through the whole server. */

const wait = { timeout: 90_000, interval: 200 };
const program = [process.execPath, ...toProgramArgs(new URL("./replay-claude-code.ts", import.meta.url))];

let server: RealServer;
let projectId: string;

beforeAll(async () => {
  const agents = { "claude-code": { command: program } };
  server = await startConfiguredServer({ agents }, { ANTHROPIC_API_KEY: "none" }, { keep: true });
  ({ id: projectId } = await server.api.createProject(newRepository()));
  return () => server.stop();
});

interface Played {
  taskId: string;
  attempt: Attempt;
  send(message: string): Promise<Execution>;
  conversation(): Promise<ConversationMessage[]>;
}

async function openTask(): Promise<Played> {
  const { id: taskId } = await server.api.createTask(projectId);
  const attempt = await server.api.createAttempt(taskId, {
    agent: "claude-code",
    model: undefined,
    permissionMode: "ask",
    isolation: "in-place",
  });
  return {
    taskId,
    attempt,
    async send(message) {
      const { executionId } = await server.api.send(taskId, message);
      return waitForEnd(server, attempt.id, executionId);
    },
    conversation: async () => (await server.api.conversation(taskId)).messages,
  };
}

/** The conversation without the ids of this execution. */
function toStory(messages: readonly ConversationMessage[]): JsonValue[] {
  return messages.map(({ messageType, role, content, metadata }) => {
    const { toolName, state, details, output } = (metadata ?? {}) as { [name: string]: JsonValue };
    return {
      messageType,
      role,
      content,
      toolName: toolName ?? null,
      state: state ?? null,
      details: details ?? null,
      output: output ?? null,
    };
  });
}

function expectedStory(name: string): JsonValue[] {
  return JSON.parse(JSON.stringify(toStory(replay(readTrace(name)).shown)));
}

describe("[T9, E5] what was recorded is what is stored and shown", () => {
  test.each([
    "1.0.128-tools",
    "1.0.128-tools-partial",
    "2.0.77-tools-partial",
    "2.1.112-tools-partial",
    "2.1.325-tools-partial",
    "2.1.325-subagent",
    "2.1.325-bgbash",
    "2.1.325-slash-compact",
    "2.1.325-slash-unknown",
    "2.1.325-bigout",
  ])("%s", async (name) => {
    const task = await openTask();
    const execution = await task.send(`play ${name}`);
    expect(execution).toMatchObject({ status: "success", exitCode: 0 });
    expect(toStory((await task.conversation()).slice(1))).toEqual(expectedStory(name));
    const [end] = replay(readTrace(name))
      .outputs.filter((output) => output.type === "end")
      .slice(-1);
    expect(execution.status === "running" ? undefined : execution.usage).toEqual(end?.usage);
  });

  test.each([
    ["2.1.325-err500", /500/],
    ["2.1.325-err-nokey", /Not logged in.*log in there/],
    ["2.1.325-err-maxturns", /max turns|Reached maximum/i],
  ])("%s", async (name, reason) => {
    const task = await openTask();
    expect(await task.send(`play ${name}`)).toMatchObject({ status: "failed", exitCode: 1, reason: expect.stringMatching(reason) });
  });
});

describe("[E10] replaying recorded answers", () => {
  test.each([
    ["2.1.325-ctl-allow", { decision: "allow" }],
    ["2.1.325-ctl-deny", { decision: "deny", reason: "Not now, please (test)" }],
    ["2.1.325-ctl-ask-question", { decision: "allow", answers: { "Which database should be used?": "SQLite" } }],
  ])("%s", async (name, answer) => {
    const task = await openTask();
    const ended = task.send(`play ${name}`);
    const isOver = ended.then(() => true);
    await vi.waitFor(async () => {
      const approvals = await server.api.request<Approval[]>("GET", "/api/approvals?status=pending");
      for (const { id, attemptId } of approvals) {
        if (attemptId === task.attempt.id) await server.api.request("POST", `/api/approvals/${id}`, answer);
      }
      expect(await Promise.race([isOver, Promise.resolve(false)])).toBe(true);
    }, wait);
    expect(await ended).toMatchObject({ status: "success" });
    expect(toStory((await task.conversation()).slice(1))).toEqual(expectedStory(name));
  });
});

describe("[E3] a session that is no longer known", () => {
  test.each(["1.0.128", "2.0.77", "2.1.112", "2.1.325"])("%s", async (version) => {
    const task = await openTask();
    await task.send(`play ${version}-sess-1-first`);
    expect(await task.send(`lose ${version}-sess-2-resume`)).toMatchObject({ status: "success", exitCode: 0 });
    const story = (await task.conversation()).slice(-expectedStory(`${version}-sess-2-resume`).length - 1);
    expect(story[0]).toMatchObject({ messageType: "notice", metadata: { code: "session-replaced" } });
    expect(toStory(story.slice(1))).toEqual(expectedStory(`${version}-sess-2-resume`));
  });
});
