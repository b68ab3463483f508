import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConversationMessage, ConversationPage, GeneralSettings, MergeMode, Settings } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { openAgentTask } from "./support/agent-task.ts";
import { openEventStream } from "./support/event-stream.ts";
import { newFolder } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const shape = (messages: readonly ConversationMessage[]) =>
  messages
    .filter(({ messageType }) => messageType.startsWith("tool_"))
    .map((message) => (message.messageType === "tool_execution" ? message.metadata.state : message.messageType));

test("[T2] each client sees tools in the mode it asks for, in the middle of an execution, after it and in old conversations", async () => {
  const gate = join(newFolder("gate"), "open");
  const model = newScriptedModel([
    { toolCalls: [bash("echo first")] },
    { toolCalls: [bash(`echo waiting; until [ -e ${gate} ]; do sleep 0.05; done; echo second`)] },
    { text: "Done." },
  ]);
  const task = await openAgentTask({ attempt: { agent: "native", model } });
  const { api } = task.server;
  const read = (mode?: MergeMode) => api.conversation(task.taskId, mode === undefined ? "" : `&mergeMode=${mode}`);
  const shapes = async () => ({
    default: shape((await read()).messages),
    live: shape((await read("live")).messages),
    onComplete: shape((await read("on-complete")).messages),
    off: shape((await read("off")).messages),
  });
  const stream = await openEventStream(api, { after: 0, query: "mergeMode=off" });
  const executionId = await task.send("go");
  const middle = {
    live: ["completed", "running"],
    onComplete: ["completed"],
    off: ["tool_use", "tool_result", "tool_use"],
  };
  await vi.waitFor(async () => expect(await shapes()).toEqual({ default: middle.live, ...middle }), { timeout: 60_000, interval: 200 });

  // the setting changes while the tool runs: nothing stays in the old mode
  expect(await api.request<GeneralSettings>("PATCH", "/api/settings/general", { mergeMode: "off" })).toMatchObject({ mergeMode: "off" });
  expect(await shapes()).toEqual({ default: middle.off, ...middle });

  writeFileSync(gate, "");
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  const end = {
    live: ["completed", "completed"],
    onComplete: ["completed", "completed"],
    off: ["tool_use", "tool_result", "tool_use", "tool_result"],
  };
  expect(await shapes()).toEqual({ default: end.off, ...end });

  // a stream in the same mode has sent the same messages, at the same revisions
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  const streamed = new Map<string, ConversationMessage>();
  for (const { event } of stream.seen) {
    if (event.type !== "message:added") continue;
    const known = streamed.get(event.message.id);
    if (known === undefined || known.revision <= event.message.revision) streamed.set(event.message.id, event.message);
  }
  stream.close();
  const page = (await read("off")).messages;
  const byId = (messages: Iterable<ConversationMessage>) => [...messages].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(byId(streamed.values())).toEqual(byId(page));

  // paging works with the ids of this mode
  const paged: ConversationMessage[] = [];
  for (let before: string | undefined; ; ) {
    const next: ConversationPage = await api.request(
      "GET",
      `/api/tasks/${task.taskId}/conversation?limit=1&mergeMode=off${before === undefined ? "" : `&before=${before}`}`,
    );
    paged.unshift(...next.messages);
    before = next.messages[0]?.id;
    if (!next.hasMore) break;
  }
  expect(byId(paged)).toEqual(byId(page));

  // kept after a restart
  await task.server.stop();
  await task.server.start();
  expect((await task.server.api.request<Settings>("GET", "/api/settings")).general.mergeMode).toBe("off");
  expect(shape((await task.conversation()) as ConversationMessage[])).toEqual(end.off);
});

test.each([
  ["reported by the agent", false],
  ["its agent does not react and is killed", true],
])("[T2] an interrupted tool is shown as interrupted in every mode: %s", async (_title, isFrozen) => {
  const model = newScriptedModel([{ toolCalls: [bash("echo half; sleep 60")] }, { text: "never" }]);
  const task = await openAgentTask({ attempt: { agent: "native", model } });
  const { api } = task.server;
  const executionId = await task.send("go");
  const read = async (mode: MergeMode) => (await api.conversation(task.taskId, `&mergeMode=${mode}`)).messages;
  const readCards = async (mode: MergeMode) =>
    (await read(mode)).flatMap((message) => (message.messageType === "tool_execution" ? [message.metadata] : []));
  // not the card's content: that is the command, which is shown before it runs
  const readOutputs = async () => (await readCards("live")).map(({ output }) => output);
  await vi.waitFor(async () => expect(await readOutputs()).toEqual(["half\n"]), { timeout: 60_000, interval: 200 });
  if (isFrozen) for (const pid of findExecutionProcesses({ executionId }).filter(isNativeAgent)) process.kill(pid, "SIGSTOP");
  await task.stop();
  await task.ended(executionId);
  for (const mode of ["live", "on-complete"] as const)
    expect(await readCards(mode)).toMatchObject([{ state: "interrupted", isError: true }]);
  const result = (await read("off")).find(({ messageType }) => messageType === "tool_result");
  expect(result).toMatchObject({ metadata: { isError: true, state: "interrupted" } });
  // an agent that takes longer than its grace period to report it is killed: on a busy machine, any agent
  expect(result?.content).toMatch(isFrozen ? killed : new RegExp(`${reported.source}|${killed.source}`));
});

const reported = /^half\n[\s\S]*stopped by the user/;
const killed = /^half\n[\s\S]*Interrupted: the tool may have run/;

const isNativeAgent = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("native-program");
