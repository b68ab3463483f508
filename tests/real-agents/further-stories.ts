import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolExecutionMessage, Usage } from "@skein/contracts";
import { findMarkedProcesses } from "@skein/testkit/mcp-servers";
import { expect, test, vi } from "vitest";
import { findSession, findTools, wait } from "./acp-scenarios.ts";
import { type FurtherAgent, type FurtherTask, openFurtherAgent } from "./further-agents.ts";

/** What differs between the agents in what Skein can show of them. */
export interface FurtherExpectations {
  /** Where the diff of line 12 of a file begins. */
  diffStart: number;
  /** `exact`: the tokens that the server sent; `none`: the agent reports none. */
  tokens: "exact" | "none";
  /** False for an agent that never asks. */
  asks: boolean;
  /** What “always” can remember of a command; false where the agent's question does not name it as text. */
  remembersCommands: boolean;
  /** Whether it reports what a command has printed when it is stopped. */
  keepsOutput: boolean;
  /** Undefined for an agent that reports no failure of its model. */
  failure401: RegExp | undefined;
}

const usage = { inputTokens: 1000, cachedInputTokens: 200, outputTokens: 50, reasoningTokens: 0 };
const isLong = process.env.SKEIN_TEST_LONG === "1";

const pathOf = (agent: FurtherAgent, task: FurtherTask, name: string): string =>
  agent.api === "openai-responses" ? name : join(task.attempt.directory, name);

function toFacts({ metadata }: ToolExecutionMessage) {
  const { output, details } = metadata;
  if (details?.type === "commandOutput") return { output: output.trim(), exitCode: details.data.exitCode };
  if (details?.type === "diff") return { change: details.data.change, start: details.data.hunks[0]?.oldStart };
  return { output: output.trim() };
}

export function describeFurtherAgent(agent: FurtherAgent, expected: FurtherExpectations): void {
  test("[T7, T8, E3, E9] cards have command, output, exit code, diff and error; tokens are counted, and the session is resumed", async () => {
    const task = await openFurtherAgent(agent);
    const notes = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join("");
    writeFileSync(join(task.attempt.directory, "notes.txt"), notes);
    const at = (name: string) => pathOf(agent, task, name);
    const calls = [
      agent.read(at("notes.txt")),
      agent.run("echo printed"),
      agent.run("echo before; exit 3"),
      agent.edit(at("notes.txt"), "line 12\n", "line twelve\n"),
      agent.write(at("made.txt"), "one\ntwo\n"),
    ];
    task.script(...calls.map((call) => ({ toolCalls: [call], usage })), { text: "All done: heron.", usage });
    const execution = await task.run("Do it");
    expect(execution).toMatchObject({ status: "success" });
    const [read, printed, failed, edit, made] = findTools(await task.conversation()).map(toFacts);
    expect(read?.output).toContain("line 12");
    expect(printed).toEqual({ output: "printed", exitCode: 0 });
    expect(failed).toEqual({ output: expect.stringMatching(/^(?:Exit code 3\n)?before$/), exitCode: 3 });
    expect(edit).toEqual({ change: "updated", start: expected.diffStart });
    expect(made).toEqual({ change: "created", start: 0 });
    expectTokens(execution.status === "running" ? {} : execution.usage, calls.length + 1, expected.tokens);

    const sessionId = await findSession(task);
    task.script({ text: "Still heron.", usage });
    expect(await task.run("And now?")).toMatchObject({ status: "success" });
    expect((await task.conversation()).at(-1)?.content).toBe("Still heron.");
    expect(await findSession(task)).toBe(sessionId);
    expect(JSON.stringify(task.requests().at(-1)?.body)).toContain("All done: heron.");
    expect(task.model.violations).toEqual([]);
  });

  test("[E10, E5, T5] allowed, denied and remembered; a stop keeps what a command printed and leaves no process", async () => {
    const task = await openFurtherAgent(agent, { permissionMode: expected.asks ? "ask" : "full" });
    if (expected.asks) await askAndDeny(agent, task, expected);
    task.script({ toolCalls: [agent.run("echo begun; sleep 1; touch begun; sleep 300")], usage }, { text: "never" });
    const executionId = await task.send("Run it");
    if (expected.asks) await task.answer(await task.pendingApproval(), { decision: "allow" });
    await vi.waitFor(() => expect(existsSync(join(task.attempt.directory, "begun"))).toBe(true), wait);
    await task.stop();
    expect(await task.ended(executionId)).toMatchObject({ status: "cancelled" });
    expect(findMarkedProcesses("SKEIN_EXECUTION_ID", executionId)).toEqual([]);
    const stopped = findTools(await task.conversation()).at(-1)?.metadata;
    const output = expected.keepsOutput ? expect.stringContaining("begun") : expect.any(String);
    expect(stopped).toMatchObject({ state: "interrupted", output });
    task.script({ text: "Here again.", usage });
    expect(await task.run("Go on")).toMatchObject({ status: "success" });
  });

  test.runIf(isLong && expected.failure401 !== undefined)("[E5] a rejected key is the execution's reason, with the remedy", async () => {
    const task = await openFurtherAgent(agent, { apiKey: "wrong" });
    const execution = await task.run("Do it");
    expect(execution).toMatchObject({ status: "failed", reason: expect.stringMatching(expected.failure401 ?? /never/) });
  });

  test.runIf(isLong && expected.failure401 !== undefined)("[E5] a failing server is the reason, and silence has one line", async () => {
    const task = await openFurtherAgent(agent);
    task.script(...Array.from({ length: 60 }, () => ({ error: { status: 500 } })));
    const execution = await task.run("Do it");
    expect(execution).toMatchObject({ status: "failed", reason: expect.stringMatching(/send a message to retry\.$/) });
    const notices = (await task.conversation()).filter(({ messageType }) => messageType === "notice");
    expect(notices.length).toBeLessThanOrEqual(2);
  });
}

async function askAndDeny(agent: FurtherAgent, task: FurtherTask, { remembersCommands }: FurtherExpectations): Promise<void> {
  const { directory } = task.attempt;
  const again = remembersCommands ? [{ toolCalls: [agent.run("npm prefix")], usage }] : [];
  task.script(
    { toolCalls: [agent.run("npm prefix")], usage },
    ...again,
    { toolCalls: [agent.run("touch one.txt")], usage },
    { toolCalls: [agent.run("touch two.txt")], usage },
    ...Array.from({ length: 3 }, () => ({ text: "I see.", usage })),
  );
  const executionId = await task.send("Do it");
  const remembered = await task.pendingApproval();
  expect(remembered.grant === undefined).toBe(!remembersCommands);
  await task.answer(remembered, { decision: remembersCommands ? "allow-always" : "allow" });
  await task.answer(await task.pendingApproval(), { decision: "allow" });
  await task.answer(await task.pendingApproval(), { decision: "deny", reason: "Not two." });
  await task.ended(executionId);
  expect([existsSync(join(directory, "one.txt")), existsSync(join(directory, "two.txt"))]).toEqual([true, false]);
  const states = findTools(await task.conversation()).map(({ metadata }) => metadata.state);
  expect(states).toEqual([...Array(remembersCommands ? 3 : 2).fill("completed"), "denied"]);
}

function expectTokens(reported: Usage, requests: number, tokens: FurtherExpectations["tokens"]): void {
  if (tokens === "none") expect(reported).toEqual({});
  else expect(reported).toMatchObject({ inputTokens: 1000 * requests, outputTokens: 50 * requests, cacheReadTokens: 200 * requests });
}
