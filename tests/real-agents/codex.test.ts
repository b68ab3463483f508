import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentList } from "@skein/contracts";
import { findMarkedProcesses } from "@skein/testkit/mcp-servers";
import { expect, test, vi } from "vitest";
import { isLong } from "../support/long.ts";
import { newFolder } from "../support/repository.ts";
import {
  lastRequest,
  newProgramWithoutAppServer,
  nextApproval,
  openCodexTask,
  patch,
  sessionOf,
  shell,
  toLine,
  toState,
  wait,
} from "./codex/codex-task.ts";

const redDot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("[E3, E9, X11] Codex runs commands and changes files, and resumes its thread in the next execution", async () => {
  const task = await openCodexTask({
    script: [
      { reasoning: "I will look first.", ...shell("env; exit 3") },
      patch("*** Add File: new.txt", "+one"),
      { text: ["All ", "done."], usage: { inputTokens: 100, outputTokens: 7 } },
      { text: "Nothing.", usage: { inputTokens: 50, outputTokens: 3 } },
    ],
  });
  const list = await task.server.api.request<AgentList>("GET", "/api/agents");
  expect(list.agents.find(({ id }) => id === "codex")).toMatchObject({ available: true, version: expect.stringMatching(/^\d+\.\d+/) });

  expect(await task.run("do it -- --help")).toMatchObject({ status: "success", exitCode: 0, reason: null });
  expect(readFileSync(join(task.attempt.directory, "new.txt"), "utf8")).toBe("one\n");
  expect((await task.conversation()).map(toLine)).toEqual([
    "text: do it -- --help",
    "thinking: I will look first.",
    "tool_execution: Ran env; exit 3",
    `tool_execution: Created ${join(task.attempt.directory, "new.txt")}`,
    "text: All done.",
  ]);
  const command = (await task.conversation())[2];
  expect(command).toMatchObject({ metadata: { state: "failed", details: { data: { exitCode: 3 } } } });
  expect(JSON.stringify(command)).toContain("CODEX_HOME=");
  expect(JSON.stringify(command)).not.toContain("key-of-another");

  // the thread reports its total; only this execution's share counts
  expect(await task.run("what else?")).toMatchObject({ status: "success", usage: { inputTokens: 50, outputTokens: 3 } });
  expect(lastRequest(task)).toContain("do it -- --help");
  expect(lastRequest(task)).not.toContain("<transcript>");
  expect(task.model.violations).toEqual([]);
});

test("[E3] a thread that Codex has lost is replaced by one with the conversation so far, and that is reported", async () => {
  const task = await openCodexTask({ script: [{ text: "The number is 42." }, { text: "It was 42." }, { text: "Still 42." }] });
  await task.run("Remember a number");
  const [before] = await sessionOf(task);
  rmSync(join(task.codexHome, "sessions"), { recursive: true });

  expect(await task.run("Which number?")).toMatchObject({ status: "success" });
  expect((await task.conversation()).map(toLine).slice(2)).toEqual([
    "text: Which number?",
    "notice: Codex no longer knows the session of this conversation. A new one was started, with the conversation so far.",
    "text: It was 42.",
  ]);
  expect(lastRequest(task)).toContain("The number is 42.");
  const [after] = await sessionOf(task);
  expect(after).not.toBe(before);

  await task.run("And now?");
  expect(await sessionOf(task)).toEqual([after]);
  expect(task.model.violations).toEqual([]);
});

test("[E9] images and messages that the user sends meanwhile reach Codex", async () => {
  const gate = join(newFolder("gate"), "open");
  const task = await openCodexTask({
    script: [shell(`while [ ! -e ${gate} ]; do sleep 0.1; done`, { yield_time_ms: 20_000 }), { text: "I see both." }],
  });
  const executionId = await task.send("look", [{ mediaType: "image/png", data: redDot }]);
  await vi.waitFor(async () => expect((await task.conversation()).flatMap(toState)).toEqual(["running"]), wait);
  expect(JSON.stringify(task.model.requests[0]?.body)).toContain(redDot);
  const command = { type: "SEND_MESSAGE", taskId: task.taskId, message: "and mind the gap", images: [], steer: true };
  await task.server.api.request("POST", "/api/commands", command);
  await vi.waitFor(async () => expect((await task.conversation()).map(toLine)).toContain("text: and mind the gap"), wait);
  writeFileSync(gate, "");
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect(lastRequest(task)).toContain("and mind the gap");
  expect((await task.conversation()).map(toLine).filter((line) => line.includes("mind the gap"))).toHaveLength(1);
});

// most of it is in the stories of every agent
test.runIf(isLong)("[Q6, T5] a stop in the middle of a command leaves no process, and the thread continues afterwards", async () => {
  const task = await openCodexTask({
    script: [shell("echo begun; sleep 1; echo begun; (setsid sleep 300 &); sleep 300", { yield_time_ms: 30_000 }), { text: "Here again." }],
  });
  const executionId = await task.send("go");
  await vi.waitFor(async () => expect((await task.conversation()).flatMap(toState)).toEqual(["running"]), wait);
  await task.stop();
  expect(await task.ended(executionId)).toMatchObject({ status: "cancelled" });
  expect((await task.conversation()).flatMap(toState)).toEqual(["interrupted"]);
  expect(findMarkedProcesses("SKEIN_EXECUTION_ID", executionId)).toEqual([]);
  const session = await sessionOf(task);
  expect(await task.run("still there?")).toMatchObject({ status: "success" });
  expect(await sessionOf(task)).toEqual(session);
  expect(task.model.violations).toEqual([]);
});

test("[E5] API errors end the execution with a readable reason, and a gateway that rejects the key is named", async () => {
  const task = await openCodexTask({
    script: (_, n) => ({ error: n === 0 ? { status: 400, message: "Unsupported value" } : { status: 401, message: "Incorrect API key" } }),
  });
  expect(await task.run("go")).toMatchObject({ status: "failed", reason: "Unsupported value" });
  const rejected = expect.stringMatching(/127\.0\.0\.1:\d+ did not accept Codex's API key .*Incorrect API key.* Check the key/);
  expect(await task.run("go")).toMatchObject({ status: "failed", reason: rejected });
  expect((await task.conversation()).map(toLine)).toEqual([
    "text: go",
    "error: Unsupported value",
    "text: go",
    "notice: Reconnecting... 1/1",
    expect.stringContaining("notice: unexpected status 401 Unauthorized: Incorrect API key"),
    expect.stringContaining("did not accept Codex's API key"),
  ]);
});

test("[Q5, Q7] it keeps running while the server is down: nothing is lost or doubled, and its question is answered through the next one", async () => {
  const task = await openCodexTask({
    attempt: { permissionMode: "ask" },
    script: [shell("echo first"), shell("echo second"), { text: "Both ran." }],
  });
  const executionId = await task.send("go");
  const first = await task.pendingApproval();
  await task.answer(first, { decision: "allow" });
  await nextApproval(task, first.id);
  await task.server.kill();
  await task.server.start();
  await task.answer(await nextApproval(task, first.id), { decision: "allow" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect((await task.conversation()).map(toLine)).toEqual([
    "text: go",
    "tool_execution: Ran echo first",
    "tool_execution: Ran echo second",
    "text: Both ran.",
  ]);
});

test("[E3, E9] a version without an app server is driven by codex exec, and resumes its thread", async () => {
  const task = await openCodexTask({
    attempt: { permissionMode: "accept-edits" },
    command: [newProgramWithoutAppServer()],
    script: [
      shell("echo one > a.txt"),
      { text: "Written.", usage: { inputTokens: 100, outputTokens: 7 } },
      { text: "Yes.", usage: { inputTokens: 50, outputTokens: 3 } },
      { text: "I know it.", usage: { inputTokens: 60, outputTokens: 4 } },
    ],
  });
  const executionId = await task.send("-- --help", [{ mediaType: "image/png", data: redDot }]);
  expect(await task.ended(executionId)).toMatchObject({ status: "success", exitCode: 0 });
  expect((await task.conversation()).map(toLine)).toEqual(["text: -- --help", "tool_execution: Ran echo one > a.txt", "text: Written."]);
  expect(JSON.stringify(task.model.requests[0]?.body)).toContain(redDot);

  const session = await sessionOf(task);
  expect(await task.run("really?")).toMatchObject({ status: "success", usage: { inputTokens: 50, outputTokens: 3 } });
  expect(await sessionOf(task)).toEqual(session);

  rmSync(join(task.codexHome, "sessions"), { recursive: true });
  expect(await task.run("and now?")).toMatchObject({ status: "success", usage: { inputTokens: 60, outputTokens: 4 } });
  expect((await task.conversation()).map(toLine).slice(-2)).toEqual([
    "notice: Codex no longer knows the session of this conversation. A new one was started, with the conversation so far.",
    "text: I know it.",
  ]);
  expect(lastRequest(task)).toContain("Written.");
});

test("[R5] the user's own system prompt reaches the model", async () => {
  const task = await openCodexTask({ script: [{ text: "Yes." }], attempt: { systemPrompt: "--Speak like a parrot." } });
  await task.run("one");
  expect(lastRequest(task)).toContain("--Speak like a parrot.");
});
