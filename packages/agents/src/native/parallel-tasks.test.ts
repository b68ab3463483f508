import { type AgentOutput, type ConversationMessage, executionIdSchema, type MessageBody } from "@skein/contracts";
import { createMessageProcessor, fixToolPairs, ModelError, type ModelRequest } from "@skein/engine";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type NativeTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { type Answer, bodiesOf, createTurnFixture, end, text, toolCall } from "./turn-fixture.ts";

const resultsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "tool-result");

/** Resolves when `count` callers have arrived; reports how many were inside at once. */
function createMeeting(name: string, access: NativeTool["access"], count: number) {
  const full = Promise.withResolvers<void>();
  let inside = 0;
  let met = 0;
  let most = 0;
  const tool = defineTool({
    name,
    description: "Waits for the others",
    access,
    schema: z.strictObject({}),
    async run(_, { signal }) {
      most = Math.max(most, ++inside);
      if (++met >= count) full.resolve();
      await Promise.race([full.promise, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      await new Promise(setImmediate);
      inside--;
      signal.throwIfAborted();
      return { output: "met", state: "completed" };
    },
  });
  return { tool, most: () => most };
}

const isSubagent = (request: ModelRequest) => !request.tools.some(({ name }) => name === "task");
const promptOf = (request: ModelRequest) => String(bodiesOf(request)[0]?.content);

/** The first message starts `count` tasks; each subagent calls its tool once and reports the result. */
const giveTasks = (count: number, toolName: string) => {
  return (request: ModelRequest): Answer => {
    const last = bodiesOf(request).at(-1);
    if (isSubagent(request)) {
      return last?.role === "tool" ? [text(`report of ${promptOf(request)}`), end()] : [toolCall("same", toolName, {}), end("tool-calls")];
    }
    if (last?.role === "tool") return [text("all reported"), end()];
    const tasks = Array.from({ length: count }, (_, n) => toolCall(`t${n}`, "task", { description: "d", prompt: `task ${n}` }, n));
    return [...tasks, end("tool-calls")];
  };
};

test("[N2] tasks of one message run in parallel, four at once, and their reports are in call order", async () => {
  const meeting = createMeeting("look", "read", 4);
  const fixture = createTurnFixture({ buildRequest, tools: [meeting.tool], answers: giveTasks(6, "look") });
  expect(await fixture.run()).toBe("success");
  expect(meeting.most()).toBe(4);
  const reports = bodiesOf(fixture.requests.at(-1)).flatMap((body) => (body.role === "tool" ? body.content : []));
  expect(reports.map(({ toolCallId, result }) => [toolCallId, result])).toEqual(
    Array.from({ length: 6 }, (_, n) => [`t${n}`, `report of task ${n}`]),
  );
  expect(fixture.outputs.at(-1)).toMatchObject({ type: "end", status: "success", usage: { inputTokens: 10 * (2 + 2 * 6) } });
});

test("[T6] their output is in the card of its own task, and the history is valid", async () => {
  const meeting = createMeeting("look", "read", 3);
  const fixture = createTurnFixture({ buildRequest, tools: [meeting.tool], answers: giveTasks(3, "look") });
  await fixture.run();
  const processor = createMessageProcessor({ executionId: executionIdSchema.parse("exe_1") });
  const shown = new Map<string, ConversationMessage>();
  const stored = new Map<string, MessageBody>();
  for (const output of fixture.outputs) {
    const step = processor.apply(output);
    for (const message of step.conversation) shown.set(message.id, message);
    for (const message of step.messages) stored.set(message.id, message.body);
  }
  const inside = [...shown.values()].flatMap(({ messageType, content, metadata }) => {
    const parent = (metadata as { parentToolUseId?: string } | undefined)?.parentToolUseId;
    return parent === undefined ? [] : [[parent, messageType, content]];
  });
  expect(inside.toSorted()).toEqual(
    ["t0", "t1", "t2"].flatMap((parent, n) => [
      [parent, "text", `report of task ${n}`],
      [parent, "tool_execution", "Called look"],
    ]),
  );
  const bodies: MessageBody[] = [{ role: "user", content: "go" }, ...stored.values()];
  expect(fixToolPairs(bodies).repairs).toEqual([]);
});

test("[N2] tools with side effects run one at a time, also across subagents", async () => {
  const meeting = createMeeting("change", "command", 1);
  const fixture = createTurnFixture({ buildRequest, tools: [meeting.tool], answers: giveTasks(4, "change") });
  expect(await fixture.run()).toBe("success");
  expect(meeting.most()).toBe(1);
  expect(resultsOf(fixture.outputs).filter(({ output }) => output === "met")).toHaveLength(4);
});

test("[E10] a subagent that waits for the user does not block the others", async () => {
  const meeting = createMeeting("change", "command", 1);
  const fixture = createTurnFixture({
    buildRequest,
    tools: [meeting.tool],
    input: { permissionMode: "ask" },
    answers: giveTasks(2, "change"),
    onOutput(output) {
      // The first is answered only when the second has its report.
      const deny = (toolUseId: string) => fixture.approvals.answer({ type: "approval", toolUseId, decision: "deny", reason: null });
      if (output.type === "approval-request" && output.toolUseId !== "same") deny(output.toolUseId);
      if (output.type === "tool-result" && output.toolName === "task" && output.toolUseId === "t1") deny("same");
    },
  });
  expect(await fixture.run()).toBe("success");
  expect(resultsOf(fixture.outputs).map(({ toolUseId }) => toolUseId)).toEqual(["same-2", "t1", "same", "t0"]);
});

test("[N2] one that fails is a failed call, and a stop ends all of them with their calls", async () => {
  const tasks = giveTasks(3, "look");
  const failing = createTurnFixture({
    buildRequest,
    tools: [createMeeting("look", "read", 1).tool],
    answers: (request) => (isSubagent(request) && promptOf(request) === "task 1" ? [new ModelError("other", "no")] : tasks(request)),
  });
  expect(await failing.run()).toBe("success");
  expect(resultsOf(failing.outputs).find(({ toolUseId }) => toolUseId === "t1")).toMatchObject({ output: "The subagent failed: no" });

  const stopped = createTurnFixture({ buildRequest, tools: [createMeeting("look", "read", 99).tool], answers: tasks });
  const running = stopped.run();
  await stopped.next("message-end");
  await new Promise(setImmediate);
  stopped.controller.abort();
  expect(await running).toBe("cancelled");
  const uses = stopped.outputs.flatMap((output) => (output.type === "tool-use" ? [output.toolUseId] : []));
  expect(
    resultsOf(stopped.outputs)
      .map(({ toolUseId }) => toolUseId)
      .toSorted(),
  ).toEqual(uses.toSorted());
  expect(resultsOf(stopped.outputs).every(({ state }) => state === "interrupted")).toBe(true);
});
