import { type AgentOutput, type ConversationMessage, conversationMessageSchema, type JsonValue, type MessageId } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMessageProcessor } from "./create-message-processor.ts";
import { delta, executionId, messageEnd, progress, record, result, retry, text, thinking, use } from "./outputs.fixture.ts";
import { mergeEntries, type SnapshotEntry } from "./processor-state.ts";

const isWaiting = (id: string) => id === "t3";
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
  it("[Q5] cut anywhere, a processor restored from its snapshot continues with the same steps", () => {
    fc.assert(
      fc.property(outputs, fc.nat(40), (all, cut) => {
        const whole = createMessageProcessor({ executionId });
        const first = createMessageProcessor({ executionId });
        for (const one of all.slice(0, cut)) expect(first.apply(one)).toEqual(whole.apply(one));
        const saved = first.snapshot();
        const json = JSON.stringify(saved);
        let kept: SnapshotEntry[] = saved.entries;
        let second = createMessageProcessor({ executionId, snapshot: JSON.parse(json) });
        all.slice(cut).forEach((one, i) => {
          first.apply(one);
          expect(second.apply(one)).toEqual(whole.apply(one));
          if (i % 3 !== 2) return;
          // again, from what changed since
          const next = JSON.parse(JSON.stringify(second.snapshot()));
          kept = mergeEntries(kept, next.entries);
          second = createMessageProcessor({ executionId, snapshot: { state: next.state, entries: kept } });
        });
        expect(second.expire({ now: 30, timeoutMs: 10, isWaiting })).toEqual(whole.expire({ now: 30, timeoutMs: 10, isWaiting }));
        expect(second.settle({ at: 99, reason: "r" })).toEqual(whole.settle({ at: 99, reason: "r" }));
        expect(JSON.stringify(saved), "a snapshot changes when its processor continues").toBe(json);
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
          if (i === expireAt) run.keep(run.processor.expire({ now: 10_000, timeoutMs: 5000, isWaiting }));
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
  const size = (snapshot: unknown) => JSON.stringify(snapshot).length;

  it("[T5] stays small however long the conversation is", () => {
    const processor = createMessageProcessor({ executionId });
    for (let i = 0; i < 500; i++) {
      processor.apply(text(`msg_${i}`, 0, "x".repeat(1000)));
      processor.apply(use(`msg_${i}`, 1, `t${i}`));
      processor.apply(result(`msg_r${i}`, `t${i}`, { output: "y".repeat(1000) }));
    }
    const all = processor.snapshot();
    expect(size({ ...all, entries: all.entries.filter(([, value]) => value !== null) })).toBeLessThan(60_000);
  });

  it("[T3, T5] costs as much per commit with 5,000 open uses and early results as with 50", () => {
    const costAt = (count: number): number => {
      const processor = createMessageProcessor({ executionId });
      for (let i = 0; i < count; i++) {
        processor.apply(use(`msg_${i}`, 0, `open${i}`, { input: { path: "x".repeat(200) } }));
        processor.apply(result(`msg_q${i}`, `early${i}`, { output: "z".repeat(200) }));
      }
      processor.snapshot();
      processor.apply(progress("open0", "still here"));
      processor.apply(use("msg_last", 0, "last"));
      processor.apply(result("msg_last_r", "last"));
      return size(processor.snapshot());
    };
    expect(costAt(5000)).toBeLessThan(costAt(50) * 1.2);
  });

  it("[T3] every early result finds its use, however many wait", () => {
    const run = record();
    for (let i = 0; i < 300; i++) run.play(result(`msg_r${i}`, `t${i % 3}`, { at: i, output: `out ${i}` }));
    for (let i = 0; i < 300; i++) run.play(use(`msg_${i}`, 0, `t${i % 3}`, { at: 1000 + i }));
    const outputs = run
      .shown()
      .map((message) => (message.messageType === "tool_execution" ? message.metadata.output : message.messageType));
    expect(outputs.toSorted()).toEqual(Array.from({ length: 300 }, (_, i) => `out ${i}`).toSorted());
  });

  it("[T5] of the first version is read: an execution may run while Skein is updated", () => {
    const call = { key: "msg_a-0", toolUseId: "t", toolName: "probe", input: {}, at: 1000, output: "", revision: 1 };
    const state = {
      ...{ version: 1, executionId, nextPosition: 1, open: [], calls: [call], ended: [], closed: [], standalone: [] },
      pairing: [["t", { open: ["msg_a-0"], waiting: [], ended: undefined }]],
    };
    const processor = createMessageProcessor({ executionId, snapshot: { state: JSON.parse(JSON.stringify(state)), entries: [] } });
    // what it holds is written down in the new form with the next commit
    const next = createMessageProcessor({ executionId, snapshot: JSON.parse(JSON.stringify(processor.snapshot())) });
    for (const one of [processor, next]) {
      expect(one.apply(result("msg_r", "t")).conversation).toMatchObject([{ id: "msg_a-0-merged", revision: 2 }]);
    }
  });

  it("is refused when it belongs to something else", () => {
    const open = (state: JsonValue) => createMessageProcessor({ executionId, snapshot: { state, entries: [] } });
    expect(() => open({ version: 0 })).toThrow(/another version/);
    expect(() => open({ version: 2, executionId: "exe_2" })).toThrow(/exe_2/);
  });
});
