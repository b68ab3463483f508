import type { MessageEntity } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answers, anyHistory, calls, user, validHistory } from "../request/history.fixture.ts";
import { buildRequest, counter, createTurns, policy } from "./compression.fixture.ts";
import { decideCompression } from "./decide-compression.ts";
import { findCutPoints } from "./find-cut-points.ts";
import { planCompression } from "./plan-compression.ts";
import { pruneToolOutputs } from "./prune-tool-outputs.ts";

const toEntities = (bodies: readonly MessageEntity["body"][]): MessageEntity[] => bodies.map((body, i) => ({ id: `msg_${i}`, body }));

describe("deciding", () => {
  const messages = createTurns(3);
  const decide = (changes: { triggerMessages?: number; triggerRatio: number }, window = 10_000) =>
    decideCompression({ messages, summary: null, pruning: null, counter, window, settings: policy(changes) });

  it("[R10] by the part of the window, and by the number of messages", () => {
    expect(decide({ triggerRatio: 0.8 })).toMatchObject({ needed: false, messageCount: 12, budget: 8000 });
    expect(decide({ triggerRatio: 0.8, triggerMessages: 12 })).toMatchObject({ needed: false });
    expect(decide({ triggerRatio: 0.8, triggerMessages: 11 })).toMatchObject({ needed: true, reason: "message-count" });
    expect(decide({ triggerRatio: 0.8 }, 1000)).toMatchObject({ needed: true, reason: "token-ratio" });
  });

  it("[R10] messages that a summary replaces no longer count, the summary does", () => {
    const messageIds = messages.slice(0, 8).map(({ id }) => id);
    const summary = { messageIds, startMessageId: "msg_0", summary: "S".repeat(100) };
    const whole = decide({ triggerRatio: 1 });
    const less = decideCompression({ messages, summary, pruning: null, counter, window: 10_000, settings: policy({ triggerRatio: 1 }) });
    expect(less.messageCount).toBe(5);
    expect(less.tokens).toBeLessThan(whole.tokens / 2);
    expect(less.tokens).toBeGreaterThan(whole.tokens / 3);
  });
});

describe("cut points", () => {
  it("[R10][R4] never separate a call from its results", () => {
    const history = toEntities([user, calls("a", "b"), answers("a"), answers("b"), user, user]);
    expect(findCutPoints(history, { keepTurns: 1 })).toEqual([1, 4, 5]);
  });

  it("[R10][R4] nor from a result that came late, or early", () => {
    expect(findCutPoints(toEntities([user, calls("a"), user, answers("a"), user]), { keepTurns: 1 })).toEqual([1, 4]);
    expect(findCutPoints(toEntities([user, answers("a"), calls("a"), user]), { keepTurns: 1 })).toEqual([3]);
  });

  it("[R10] keep the current request, what follows it, and the turns that are asked for", () => {
    const history = createTurns(3);
    expect(findCutPoints(history, { keepTurns: 1 })).toEqual([1, 3, 4, 5, 7, 8]);
    expect(findCutPoints(history, { keepTurns: 2 })).toEqual([1, 3, 4]);
    expect(findCutPoints(history, { keepTurns: 0 })).toEqual(findCutPoints(history, { keepTurns: 1 }));
    expect(findCutPoints(history, { keepTurns: 9 })).toEqual([]);
    expect(findCutPoints(toEntities([calls("a"), answers("a")]), { keepTurns: 1 })).toEqual([]);
  });
});

describe("a plan", () => {
  it("[R10] takes the messages of the active summary with it", () => {
    const messages = createTurns(4);
    const first = planCompression({ messages, summary: null, pruning: null, keepTurns: 3 });
    expect(first).toMatchObject({ startMessageId: "msg_0", endMessageId: "msg_3", previousSummary: undefined });
    if (first === undefined) return;
    const second = planCompression({ messages, summary: { ...first, summary: "S1" }, pruning: null, keepTurns: 1 });
    expect(second?.messageIds).toEqual(messages.slice(0, 12).map(({ id }) => id));
    expect(second).toMatchObject({ startMessageId: "msg_0", endMessageId: "msg_11", previousSummary: "S1" });
    expect(second?.toSummarize.map(({ id }) => id)).toEqual(messages.slice(4, 12).map(({ id }) => id));
  });

  it("[R10][R4] leaves a request without any repair, for any valid history and any number of compressions", () => {
    fc.assert(
      fc.property(validHistory, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }), (history, keeps) => {
        const messages = toEntities([...history, user]);
        let summary: Parameters<typeof planCompression>[0]["summary"] = null;
        for (const keepTurns of keeps) {
          const plan = planCompression({ messages, summary, pruning: null, keepTurns });
          if (plan !== undefined) summary = { ...plan, summary: "S" };
          const { request, repairs } = buildRequest({ messages, summary: summary as never, pruning: null });
          expect(repairs).toEqual([]);
          expect(request.at(-1)).toBe(messages.at(-1)?.body);
        }
      }),
    );
  });

  it("[R10][R4] needs no more generated or dropped results than before, for any history", () => {
    const lost = (repairs: unknown[]) => JSON.stringify(repairs).split(/added-result|dropped-result/).length;
    fc.assert(
      fc.property(anyHistory, fc.integer({ min: 1, max: 3 }), (history, keepTurns) => {
        const messages = toEntities([...history, user]);
        const plan = planCompression({ messages, summary: null, pruning: null, keepTurns });
        if (plan === undefined) return;
        const before = buildRequest({ messages, summary: null, pruning: null }).repairs;
        const after = buildRequest({ messages, summary: { ...plan, summary: "S" } as never, pruning: null }).repairs;
        expect(lost(after)).toBeLessThanOrEqual(lost(before));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("pruning", () => {
  const messages = createTurns(3);
  const prune = (budget: number, pruning: ReturnType<typeof pruneToolOutputs>["pruning"] = null) =>
    pruneToolOutputs({ messages, summary: null, pruning, counter, budget });

  it("[R10] leaves out the oldest outputs first, only as many as needed, and names where they are", () => {
    const plan = prune(1200);
    expect(plan).toMatchObject({ prunedCount: 1, fits: true, pruning: { results: [{ messageId: "msg_2", toolCallId: "call_0" }] } });
    const { request, repairs } = buildRequest({ messages, summary: null, pruning: plan.pruning });
    expect(repairs).toEqual([]);
    expect(request[3]).toMatchObject({
      content: [{ result: "[Output of probe left out of this request: 400 characters. It is kept in message msg_2.]" }],
    });
    expect(request.toSpliced(3, 1)).toEqual(buildRequest({ messages, summary: null, pruning: null }).request.toSpliced(3, 1));
  });

  it("[R10] never changes the current turn, and reports if it does not fit", () => {
    const plan = prune(0);
    expect(plan.pruning?.results.map(({ messageId }) => messageId)).toEqual(["msg_2", "msg_6"]);
    expect(plan.fits).toBe(false);
  });

  it("[R10] continues from earlier pruning, and is deterministic", () => {
    const first = prune(1200).pruning;
    expect(prune(900, first).pruning).toEqual(prune(900).pruning);
    expect(prune(1200, first).pruning).toBe(first);
  });

  it("[R10] keeps an output that is shorter than its placeholder", () => {
    const plan = pruneToolOutputs({ messages: createTurns(3, { outputLength: 5 }), summary: null, pruning: null, counter, budget: 0 });
    expect(plan).toMatchObject({ pruning: null, prunedCount: 0 });
  });
});
