import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, CommandResult, EndedExecution, Execution } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { startConfiguredServer } from "./support/configured-server.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel, type ScriptStep } from "./support/scripts.ts";

const rejected: ScriptStep[] = [{ error: { kind: "auth", message: "401 Incorrect API key provided." } }];
/** What the model answers from the next message on. */
const rewrite = (model: string, steps: ScriptStep[]) => writeFileSync(model.slice("scripted/".length), JSON.stringify({ steps }));

async function openAttempt(server: Awaited<ReturnType<typeof startRealServer>>, input: Parameters<typeof server.api.createAttempt>[1]) {
  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  const attempt = await server.api.createAttempt(task.id, input);
  const ended = async (executionId: string | undefined) => (await waitForEnd(server, attempt.id, executionId)) as EndedExecution;
  const retry = (executionId: string, id?: string) =>
    server.api.request<CommandResult>("POST", "/api/commands", {
      ...(id === undefined ? {} : { id }),
      type: "RETRY_EXECUTION",
      taskId: task.id,
      executionId,
    });
  return {
    task,
    attempt,
    ended,
    retry,
    run: async (message: string) => ended((await server.api.send(task.id, message)).executionId),
    said: async () => (await server.api.messages(attempt.id)).map(({ body }) => [body.role, body.content]),
    shown: async () =>
      (await server.api.conversation(task.id)).messages.map(({ role, messageType, content }) => `${role} ${messageType}: ${content}`),
  };
}

describe("a message that was not answered", () => {
  test("[E2] can be sent again, once, also after kill -9, and the model reads it once", async () => {
    const server = await startRealServer();
    const model = newScriptedModel(rejected);
    const { ended, retry, run, said, shown } = await openAttempt(server, { model });
    const failed = await run("Say hello");
    expect(failed).toMatchObject({ status: "failed", code: "not-answered" });
    const again = await ended((await retry(failed.id)).executionId);
    expect(again).toMatchObject({ status: "failed", code: "not-answered", number: 2 });
    await expect(retry(failed.id)).rejects.toMatchObject({ status: 409, problem: { code: "cannot-retry" } });
    rewrite(model, [{ text: "Hello." }]);
    const [first, second] = [await retry(again.id, "retry-1"), await retry(again.id, "retry-1")];
    await server.kill();
    await server.start();
    expect(second).toEqual(first);
    expect(await ended(first.executionId)).toMatchObject({ status: "success", code: null, number: 3 });
    expect((await said()).filter(([role]) => role === "user")).toEqual([["user", "Say hello"]]);
    expect((await shown()).filter((line) => line.startsWith("user"))).toEqual(["user text: Say hello"]);
    expect((await shown()).filter((line) => line.endsWith("The message was sent again."))).toHaveLength(2);
    await expect(retry(first.executionId ?? "")).rejects.toMatchObject({ problem: { code: "cannot-retry" } });
  });

  test("[E2] a later message keeps the conversation before it; after some work there is nothing to retry", async () => {
    const server = await startRealServer();
    const model = newScriptedModel([{ text: "Hello." }]);
    const { retry, run, ended, said } = await openAttempt(server, { model });
    await run("one");
    rewrite(model, rejected);
    const failed = await run("two");
    rewrite(model, [{ toolCalls: [bash("echo worked")] }, ...rejected]);
    const worked = await ended((await retry(failed.id)).executionId);
    expect((await said()).filter(([role]) => role === "user")).toEqual([
      ["user", "one"],
      ["user", "two"],
    ]);
    expect(worked).toMatchObject({ status: "failed", code: null });
    await expect(retry(worked.id)).rejects.toMatchObject({ problem: { code: "cannot-retry" } });
  });

  test("[E2] an agent whose first message was not answered begins a new session, which has never read it", async () => {
    const trace = join(newFolder("trace"), "sessions");
    const server = await startConfiguredServer({ agents: { "acp:picky": { command: newPickyAgent(trace) } } });
    const { attempt, run, retry, ended } = await openAttempt(server, { agent: "acp:picky", model: undefined as never });
    const failed = await run("Say hello");
    expect(failed).toMatchObject({ status: "failed", code: "not-answered" });
    expect((await server.api.request<Attempt>("GET", `/api/attempts/${attempt.id}`)).sessionId).toBe("s1");
    writeFileSync(`${trace}.key`, "");
    expect(await ended((await retry(failed.id)).executionId)).toMatchObject({ status: "success" });
    expect(readFileSync(trace, "utf8").trim().split("\n")).toEqual(["new s1", "prompt s1 Say hello", "new s2", "prompt s2 Say hello"]);
  });
});

test("[N2] at the step limit the agent is interrupted, and continues right there with the next message", async () => {
  const server = await startConfiguredServer({ maxSteps: 3 });
  const model = newScriptedModel(["1", "2", "3", "4"].map((n) => ({ toolCalls: [bash(`echo ${n} >> steps.txt`)] })).concat([]));
  const { task, attempt, run, said } = await openAttempt(server, { model, permissionMode: "full" });
  const paused = await run("Work");
  expect(paused).toMatchObject({
    ...{ status: "interrupted", code: "step-limit" },
    reason: "Paused after 3 steps, the limit in the settings. Continue to resume from here.",
  });
  expect(readFileSync(join(attempt.directory, "steps.txt"), "utf8")).toBe("1\n2\n3\n");
  const { messages } = await server.api.conversation(task.id);
  expect(messages.filter(({ content }) => content === paused.reason)).toMatchObject([
    { messageType: "notice", metadata: { code: "step-limit" } },
  ]);
  await server.api.request("PATCH", "/api/settings/general", { maxSteps: 0 });
  rewrite(model, [{ text: "Done." }]);
  expect(await run("Continue where you stopped.")).toMatchObject({ status: "success" } satisfies Partial<Execution>);
  expect((await said()).filter(([role]) => role === "tool")).toHaveLength(3);
});

/** An ACP agent that has no key until there is a file `<trace>.key`, and records its requests. */
function newPickyAgent(trace: string): [string, ...string[]] {
  const path = join(newFolder("picky-agent"), "agent.mjs");
  writeFileSync(
    path,
    `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const trace = process.argv[2];
const note = (line) => appendFileSync(trace, line + "\\n");
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } });
  else if (method === "session/new") {
    const sessionId = "s" + (existsSync(trace) ? readFileSync(trace, "utf8").match(/^new/gm).length + 1 : 1);
    note("new " + sessionId);
    say({ id, result: { sessionId } });
  } else if (method === "session/load") {
    note("load " + params.sessionId);
    say({ id, result: {} });
  } else if (method === "session/prompt") {
    const { sessionId, prompt } = params;
    note("prompt " + sessionId + " " + prompt.map((part) => part.text).join(""));
    if (!existsSync(trace + ".key")) return say({ id, error: { code: -32000, message: "401 Incorrect API key provided." } });
    say({ method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello." } } } });
    say({ id, result: { stopReason: "end_turn" } });
  }
});
`,
  );
  return [process.execPath, path, trace];
}
