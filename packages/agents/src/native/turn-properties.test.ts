import { setTimeout as delay } from "node:timers/promises";
import {
  type AgentOutput,
  type AssistantMessage,
  agentOutputSchema,
  type ConversationMessage,
  executionIdSchema,
  type MessageBody,
  type MessageEntity,
  messageIdSchema,
} from "@skein/contracts";
import { createMessageProcessor, ModelError, type ModelErrorKind, RequestMessageBuilder } from "@skein/engine";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type NativeTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { type Answer, createTurnFixture, end, text, toolCall } from "./turn-fixture.ts";

/*
 * The loop against everything that models, tools and users can do in any order: streams that break, refuse or repeat an id; tools that
 * fail, throw or hang; answers that deny or never arrive; messages in between; a stop at any moment.
 */

const toolNames = ["see", "change", "run", "ask", "task", "unknown"] as const;
const callIds = fc.constantFrom("a", "b", "c", "");
const behaviours = fc.constantFrom("works", "fails", "throws", "waits", "hangs");

const inputs: Record<(typeof toolNames)[number], (behaviour: string) => unknown> = {
  see: (behaviour) => ({ behaviour }),
  change: (behaviour) => ({ behaviour }),
  run: (behaviour) => ({ behaviour }),
  ask: () => ({ questions: [{ question: "Which?", options: [] }] }),
  task: () => ({ description: "d", prompt: "p" }),
  unknown: () => ({}),
};

const call = fc.record({ id: callIds, name: fc.constantFrom(...toolNames), behaviour: behaviours, broken: fc.nat(9) }).map(
  ({ id, name, behaviour, broken }) =>
    (index: number) =>
      toolCall(id, name, broken === 0 ? "{" : broken === 1 ? { wrong: 1 } : inputs[name](behaviour), index),
);
const block = fc.oneof(
  fc.string({ maxLength: 5 }).map((said) => (index: number) => text(said, index)),
  fc.constant((index: number) => ({ type: "reasoning-delta" as const, index, text: "hm" })),
  call,
  call,
);
const kinds = fc.constantFrom<ModelErrorKind>("overloaded", "network", "bad-request", "context-too-long", "auth");
const ending = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("end" as const, "length" as const, "refusal" as const).map((reason) => [end(reason)]) },
  { weight: 2, arbitrary: kinds.map((kind) => [new ModelError(kind, kind)]) },
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.constant([new Error("bug")]) },
);
const answer = fc
  .tuple(fc.array(block, { maxLength: 4 }), ending)
  .map(([blocks, last]): Answer => [...blocks.map((make, index) => make(index)), ...last]);

const scenario = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 6 }),
  permissionMode: fc.constantFrom("ask" as const, "accept-edits" as const, "full" as const),
  decisions: fc.array(fc.constantFrom("allow" as const, "allow-always" as const, "deny" as const, "never" as const), {
    minLength: 1,
    maxLength: 4,
  }),
  /** With the small window the conversation is compressed on the way. */
  contextWindow: fc.constantFrom(100_000, 300),
  stopAt: fc.option(fc.nat(30)),
  stopLater: fc.boolean(),
  steerAt: fc.array(fc.nat(20), { maxLength: 3 }),
});

function createTools(runs: Map<string, number>, stop: () => void): NativeTool[] {
  const create = (name: string, access: NativeTool["access"]) =>
    defineTool({
      name,
      description: "",
      access,
      schema: z.strictObject({ behaviour: z.string() }),
      async run({ behaviour }, { toolUseId, signal, onProgress }) {
        runs.set(toolUseId, (runs.get(toolUseId) ?? 0) + 1);
        onProgress("…");
        if (behaviour === "throws") throw new Error("bug in a tool");
        if (behaviour === "waits") await delay(0, undefined, { signal });
        if (behaviour === "hangs") {
          setImmediate(stop);
          await delay(60_000, undefined, { signal });
        }
        return { output: behaviour, state: behaviour === "fails" ? "failed" : "completed" };
      },
    });
  return [create("see", "read"), create("change", "edit"), create("run", "command")];
}

/** What the server would store and show. */
function process(outputs: readonly AgentOutput[]): { stored: MessageEntity[]; cards: ConversationMessage[][] } {
  const processor = createMessageProcessor({ executionId: executionIdSchema.parse("exe_1") });
  const drafts = new Map<string, { position: number; body: MessageBody }>();
  const cards = new Map<string, ConversationMessage[]>();
  const steps = [...outputs.map((output) => () => processor.apply(output)), () => processor.settle({ at: 0, reason: "" })];
  for (const step of steps) {
    const { messages, conversation } = step();
    for (const draft of messages) drafts.set(draft.id, draft);
    for (const shown of conversation)
      if (shown.messageType === "tool_execution") cards.set(shown.id, [...(cards.get(shown.id) ?? []), shown]);
  }
  const stored = [...drafts].sort(([, a], [, b]) => a.position - b.position).map(([id, { body }]) => ({ id, body }));
  return { stored, cards: [...cards.values()] };
}

const hasMoreThanThoughts = ({ content, toolCalls }: AssistantMessage) =>
  toolCalls !== undefined ||
  (typeof content === "string" ? content.trim() !== "" : content.some((part) => part.type === "text" && part.text.trim() !== ""));

/** Tool uses that no retry discarded, by id. */
function liveUses(outputs: readonly AgentOutput[]): string[] {
  const uses: { messageId: string; toolUseId: string }[] = [];
  for (const output of outputs) {
    if (output.type === "tool-use") uses.push({ messageId: output.messageId, toolUseId: output.toolUseId ?? "" });
    if (output.type === "retry") uses.splice(0, uses.length, ...uses.filter((use) => use.messageId !== output.messageId));
  }
  return uses.map(({ toolUseId }) => toolUseId).sort();
}

test("[Q3] [Q4] [N2] whatever happens: one end, one result per call, no call run twice, and a history that needs no repair", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ answers, contextWindow, permissionMode, decisions, stopAt, stopLater, steerAt }) => {
      const runs = new Map<string, number>();
      const declined = new Set<string>();
      const stop = () => fixture.controller.abort(new Error("stopped"));
      let count = 0;
      let asked = 0;
      const fixture = createTurnFixture({
        buildRequest,
        answers,
        contextWindow,
        tools: createTools(runs, stop),
        input: { permissionMode },
        limits: { retries: 2, cycles: 8, subagentCycles: 3 },
        onOutput(output) {
          if (output.type === "approval-request") {
            const decision = decisions[asked++ % decisions.length] ?? "deny";
            if (decision === "deny") declined.add(output.toolUseId);
            if (decision === "never") setImmediate(stop);
            else fixture.approvals.answer({ type: "approval", toolUseId: output.toolUseId, decision, reason: null });
          }
          const number = count++;
          for (const moment of steerAt) {
            if (moment !== number) continue;
            // Sent again, as after a restart of the server.
            const message = { type: "message" as const, id: messageIdSchema.parse(`msg_s${moment}`), text: "and", images: [] };
            fixture.steering.add(message);
            fixture.steering.add(message);
          }
          if (number !== stopAt) return;
          if (stopLater) setImmediate(stop);
          else stop();
        },
      });
      const status = await fixture.run();
      const { outputs } = fixture;
      for (const output of outputs) expect(agentOutputSchema.safeParse(output).success).toBe(true);

      const ends = outputs.filter((output) => output.type === "end");
      expect(ends).toMatchObject([{ status }]);
      expect(outputs.at(-1)).toBe(ends[0]);

      const results = outputs.filter((output) => output.type === "tool-result");
      expect(results.map((result) => result.toolUseId).sort()).toEqual(liveUses(outputs));
      for (const [id, times] of runs) {
        expect(times).toBe(1);
        expect(declined).not.toContain(id);
      }
      const taken = outputs.flatMap((output) => (output.type === "user-message" ? [output.messageId] : []));
      expect(new Set(taken).size).toBe(taken.length);

      const { stored, cards } = process(outputs);
      for (const revisions of cards) {
        const states = revisions.map((card) => (card.messageType === "tool_execution" ? card.metadata.state : "running"));
        expect(states.filter((state) => state !== "running")).toHaveLength(1);
        expect(states.at(-1)).not.toBe("running");
      }
      const history: MessageEntity[] = [
        { id: "u", body: { role: "user", content: "go" } },
        ...stored,
        { id: "v", body: { role: "user", content: "on" } },
      ];
      const kept = history.map(({ body }) => body).filter((body) => body.role !== "assistant" || hasMoreThanThoughts(body));
      expect(new RequestMessageBuilder().setSystemPrompts([]).setMessages(history).build()).toEqual(kept);
    }),
    { numRuns: 400 },
  );
}, 60_000);
