import { type AgentOutput, type ConversationMessage, conversationMessageSchema, type MessageId } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMessageProcessor } from "./create-message-processor.ts";
import { delta, executionId, messageEnd, progress, record, result, retry, text, thinking, use } from "./outputs.fixture.ts";

const messageIds = fc.constantFrom("msg_a", "msg_b", "msg_c");
const toolIds = fc.constantFrom("t1", "t2", "t3", undefined);
const parents = fc.constantFrom(undefined, undefined, undefined, "t1");
const index = fc.nat(3);

const output: fc.Arbitrary<(serial: number) => AgentOutput> = fc.oneof(
  fc.tuple(messageIds, index, fc.string({ maxLength: 3 })).map(
    ([id, i, content]) =>
      () =>
        delta(id, i, content),
  ),
  fc.tuple(messageIds, index).map(
    ([id, i]) =>
      (serial: number) =>
        text(id, i, `text ${serial}`),
  ),
  fc.tuple(messageIds, index).map(
    ([id, i]) =>
      (serial: number) =>
        thinking(id, i, "hm", { signature: `s${serial}` }),
  ),
  fc.tuple(messageIds, index, toolIds, parents).map(
    ([id, i, toolId, parent]) =>
      (serial: number) =>
        use(id, i, toolId, { at: serial, ...(parent ? { parentToolUseId: parent } : {}) }),
  ),
  fc.tuple(toolIds, fc.boolean()).map(
    ([toolId, isError]) =>
      (serial: number) =>
        result(`msg_r${serial}`, toolId, { isError, at: serial }),
  ),
  toolIds.map((toolId) => (serial: number) => progress(toolId ?? "t9", `p${serial}`)),
  messageIds.map((id) => () => messageEnd(id, { model: "m" })),
  messageIds.map((id) => (serial: number) => retry(id, { delayMs: (serial % 3) * 1000, attempt: serial + 1 })),
  fc.constant((serial: number): AgentOutput => ({ type: "notice", messageId: `msg_n${serial % 3}` as MessageId, text: "n", at: serial })),
);

const outputs = fc.array(output, { maxLength: 40, size: "max" }).map((makers) => makers.map((make, serial) => make(serial)));

describe("for any outputs", () => {
  it("[Q5] cut anywhere, a processor restored from its snapshot goes on with the same steps", () => {
    fc.assert(
      fc.property(outputs, fc.nat(40), (all, cut) => {
        const whole = createMessageProcessor({ executionId });
        const first = createMessageProcessor({ executionId });
        for (const one of all.slice(0, cut)) expect(first.apply(one)).toEqual(whole.apply(one));
        const saved = first.snapshot();
        const json = JSON.stringify(saved);
        const second = createMessageProcessor({ executionId, snapshot: JSON.parse(json) });
        for (const one of all.slice(cut)) {
          first.apply(one);
          expect(second.apply(one)).toEqual(whole.apply(one));
        }
        expect(second.expire({ now: 30, timeoutMs: 10 })).toEqual(whole.expire({ now: 30, timeoutMs: 10 }));
        expect(second.settle({ at: 99, reason: "r" })).toEqual(whole.settle({ at: 99, reason: "r" }));
        expect(JSON.stringify(saved), "a snapshot changes when its processor goes on").toBe(json);
      }),
      { numRuns: 500 },
    );
  });

  it("[Q3] every tool execution ends exactly once and never changes its end, and revisions rise by one", () => {
    fc.assert(
      fc.property(outputs, fc.nat(40), (all, expireAt) => {
        const run = record();
        const ends = new Map<string, ConversationMessage>();
        const check = () => {
          for (const message of run.steps.at(-1)?.conversation ?? []) {
            conversationMessageSchema.parse(message);
            if (message.messageType !== "tool_execution") continue;
            const end = ends.get(message.id);
            const { annotations: _, ...metadata } = message.metadata;
            if (end !== undefined) expect({ ...message, metadata }).toEqual({ ...end, revision: message.revision });
            else if (message.metadata.state !== "running") ends.set(message.id, { ...message, metadata });
          }
        };
        all.forEach((one, i) => {
          run.play(one);
          check();
          if (i === expireAt) run.keep(run.processor.expire({ now: 10_000, timeoutMs: 5000 }));
          check();
        });
        run.keep(run.processor.settle({ at: 10_000, reason: "" }));
        check();
        for (const message of run.shown()) {
          if (message.messageType === "tool_execution") expect(message.metadata.state).not.toBe("running");
          if (message.messageType === "text") expect(message.metadata?.streaming).toBeUndefined();
        }
      }),
      { numRuns: 500 },
    );
  });

  it("[T6] nothing is lost: every use is shown, and every result is on a card, in an annotation or by itself", () => {
    fc.assert(
      fc.property(outputs, (all) => {
        const run = record();
        run.play(...all.filter((one) => one.type !== "retry"));
        run.keep(run.processor.settle({ at: 10_000, reason: "" }));
        const seen = new Set<string>();
        for (const message of run.shown()) {
          if (message.messageType === "tool_result") seen.add(message.content);
          if (message.messageType === "tool_execution") {
            for (const said of [message.metadata.output, ...(message.metadata.annotations ?? [])]) seen.add(said);
          }
        }
        for (const one of all) if (one.type === "tool-result") expect(seen).toContain(one.output);
      }),
      { numRuns: 300 },
    );
  });

  it("[R4][P2] every stored call has one result at its place, and positions are unique", () => {
    fc.assert(
      fc.property(outputs, (all) => {
        const run = record();
        run.play(...all.filter((one) => one.type !== "retry"));
        run.keep(run.processor.settle({ at: 10_000, reason: "" }));
        const stored = run.stored();
        expect(new Set(stored.map((draft) => draft.position)).size).toBe(stored.length);
        stored.forEach((draft, i) => {
          if (draft.body.role !== "assistant") return;
          const calls = draft.body.toolCalls ?? [];
          const answers = stored
            .slice(i + 1, i + 1 + calls.length)
            .map(({ body }) => (body.role === "tool" ? body.content[0]?.toolCallId : null));
          expect(answers).toEqual(calls.map((call) => call.id));
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe("a snapshot", () => {
  it("[T5] stays small however much has been said", () => {
    const processor = createMessageProcessor({ executionId });
    for (let i = 0; i < 500; i++) {
      processor.apply(text(`msg_${i}`, 0, "x".repeat(1000)));
      processor.apply(use(`msg_${i}`, 1, `t${i}`));
      processor.apply(result(`msg_r${i}`, `t${i}`, { output: "y".repeat(1000) }));
      processor.apply(result(`msg_q${i}`, `early${i}`, { output: "z".repeat(1000) }));
    }
    expect(JSON.stringify(processor.snapshot()).length).toBeLessThan(60_000);
  });

  it("is refused when it belongs to something else", () => {
    expect(() => createMessageProcessor({ executionId, snapshot: { version: 0 } })).toThrow(/another version/);
    expect(() => createMessageProcessor({ executionId, snapshot: { version: 1, executionId: "exe_2" } })).toThrow(/exe_2/);
  });
});
