import type { MessageBody, SummaryId } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { Model } from "../ports/model.ts";
import { attemptId, buildRequest, counter, createService, createSummarizer, createTurns, policy } from "./compression.fixture.ts";

const automatic = { attemptId, reason: "automatic" } as const;
const byHand = { attemptId, reason: "by-hand" } as const;
const count = (request: readonly MessageBody[]) => counter.countAll(request.slice(1));

async function* endless(signal: AbortSignal) {
  yield { type: "text-delta" as const, index: 0, text: "They" };
  await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

const bad = {
  lying: () => createSummarizer(() => "blah ".repeat(2000)),
  empty: () => createSummarizer(() => " \n"),
  failing: () =>
    createSummarizer(() => {
      throw new Error("503");
    }),
  "cut short": () =>
    createSummarizer(async function* () {
      yield { type: "text-delta", index: 0, text: "They" };
      yield { type: "end", stopReason: "length", usage: {} };
    }),
  refusing: () =>
    createSummarizer(async function* () {
      yield { type: "end", stopReason: "refusal", usage: {} };
    }),
  missing: () => null,
  "too small": () => createSummarizer(() => "They read files.", { contextWindow: 100 }),
};

describe("compacting", () => {
  it("[R10] stores a summary with its figures, and the next request is shorter", async () => {
    const { service, current } = createService(createTurns(4));
    const before = buildRequest(current()).request;
    const outcome = await service.compact(automatic);
    const { request, repairs } = buildRequest(current());
    expect(outcome).toMatchObject({ type: "compressed", fits: true, tokensBefore: count(before), tokensAfter: count(request) });
    expect(current().summary).toMatchObject({
      id: "sum_1",
      attemptId,
      startMessageId: "msg_0",
      endMessageId: "msg_11",
      model: "test/summarizer",
      status: "active",
      createdAt: 1000,
      originalTokenCount: counter.countAll(createTurns(3).map(({ body }) => body)),
    });
    expect(repairs).toEqual([]);
    expect(request.slice(-4)).toEqual(before.slice(-4));
    expect(outcome.message).toMatch(/^A summary replaces 12 messages in requests: \d+ → \d+ tokens\. Written by test\/summarizer\.$/);
  });

  it("[R10] is not needed while there is room, unless the user requests it", async () => {
    const { service, current } = createService(createTurns(4), { window: 100_000 });
    expect(await service.compact(automatic)).toMatchObject({ type: "not-needed" });
    expect(current().summary).toBeNull();
    expect(await service.compact(byHand)).toMatchObject({ type: "compressed" });
  });

  it("[R10] the model reads the earlier summary, the user's instructions, and the messages in between", async () => {
    const model = createSummarizer(() => "They read files.");
    const memory = createService(createTurns(6), { model, settings: policy({ keepRecentTurns: 3 }), window: 8_000 });
    await memory.service.compact(byHand);
    await createServiceOver(memory, model).compact({ ...byHand, instruction: "focus on the parser" });
    const question = String(model.requests[1]?.[1]?.content);
    expect(question).toContain("# Summary of what came before this transcript");
    expect(question).toContain("They read files.");
    expect(question).not.toContain("word for word");
    expect(question).toContain("focus on the parser");
    expect(question).not.toContain("request 2");
    expect(question).toContain("request 3");
    expect(memory.current().summary?.messageIds).toHaveLength(20);
    expect(memory.current().summary?.summary).toContain("> request 0\n\n> request 1\n\n> request 2\n\n> request 3\n\n> request 4");
  });

  it("[R10] fewer turns are kept if the requested number does not fit", async () => {
    const { service, current } = createService(createTurns(8), { settings: policy({ keepRecentTurns: 5 }) });
    expect(await service.compact(automatic)).toMatchObject({ type: "compressed", fits: true });
    expect(current().summary?.messageIds).toHaveLength(28);
  });

  it("[R11] stored messages do not change", async () => {
    const messages = createTurns(4);
    const before = JSON.stringify(messages);
    const { service, current } = createService(messages);
    await service.compact(automatic);
    expect(JSON.stringify(current().messages)).toBe(before);
  });
});

function createServiceOver(memory: ReturnType<typeof createService>, model: Model, keepTurns = 1) {
  let serial = 10 * keepTurns;
  return createService([], {
    store: memory.store,
    model,
    window: 8_000,
    settings: policy({ keepRecentTurns: keepTurns }),
    createSummaryId: () => `sum_${++serial}` as SummaryId,
  }).service;
}

describe("what a summary costs", () => {
  const usage = { inputTokens: 1200, outputTokens: 30, costUsd: 0.00123 };
  const paid = (id: string, text: string) => {
    const model = createSummarizer(async function* () {
      yield { type: "text-delta", index: 0, text };
      yield { type: "end", stopReason: "end", usage };
    });
    return { ...model, id };
  };

  it("[R10, E9] is reported in figures, and counted", async () => {
    const { service } = createService(createTurns(4), { model: paid("test/cheap", "They read files.") });
    const outcome = await service.compact(automatic);
    expect(outcome).toMatchObject({ type: "compressed", usage });
    expect(outcome.message).toMatch(/Written by test\/cheap from 1200 tokens in 30 for \$0\.0012\.$/);
  });

  it("[R10] the second model is asked when the first writes none, and the cost of both counts", async () => {
    const { service, current } = createService(createTurns(4), {
      model: paid("test/cheap", " "),
      fallbackModel: paid("test/own", "They read files."),
    });
    const outcome = await service.compact(automatic);
    expect(outcome).toMatchObject({ type: "compressed", usage: { inputTokens: 2400, outputTokens: 60, costUsd: 0.00246 } });
    expect(current().summary?.model).toBe("test/own");
  });

  it("[R10] the second model also stands in for one whose window is too small, and no model is asked after a cancellation", async () => {
    const small = createSummarizer(() => "never", { contextWindow: 100 });
    const own = createSummarizer(() => "They read files.");
    expect(await createService(createTurns(4), { model: small, fallbackModel: own }).service.compact(automatic)).toMatchObject({
      type: "compressed",
    });
    expect([small.requests.length, own.requests.length]).toEqual([0, 1]);
    const cancel = new AbortController();
    const cancelling = createSummarizer((signal) => {
      cancel.abort();
      return endless(signal);
    });
    const { service } = createService(createTurns(4), { model: cancelling, fallbackModel: own });
    expect(await service.compact({ ...automatic, signal: cancel.signal })).toMatchObject({ type: "failed", reason: "cancelled" });
    expect(own.requests.length).toBe(1);
  });
});

describe("a summarizer with unusable output", () => {
  it.each(Object.entries(bad))(
    "[Q8] %s: old outputs are pruned so that the request fits, and the user is notified",
    async (_, createModel) => {
      const { service, current } = createService(createTurns(4), { model: createModel() });
      const outcome = await service.compact(automatic);
      const { request, repairs } = buildRequest(current());
      expect(outcome).toMatchObject({ type: "pruned", fits: true, tokensAfter: count(request) });
      expect(outcome.message).toMatch(/oldest tool outputs? (is|are) left out of requests: \d+ → \d+ tokens\. Nothing was deleted\.$/);
      expect(count(request)).toBeLessThanOrEqual(1000);
      expect(repairs).toEqual([]);
      expect(current().summary).toBeNull();
    },
  );

  it("[Q8] slow: the deadline ends it, even if it ignores the signal", async () => {
    for (const answer of [endless, () => endless(new AbortController().signal)]) {
      const deadline = new AbortController();
      const model = createSummarizer((signal) => {
        queueMicrotask(() => deadline.abort(new Error("too late")));
        return answer(signal);
      });
      const { service } = createService(createTurns(4), { model, createDeadline: () => deadline.signal });
      expect(await service.compact(automatic)).toMatchObject({ type: "pruned", cause: "timed-out" });
    }
  });

  it("[R10] cancelled by the user: nothing is changed", async () => {
    const cancel = new AbortController();
    const model = createSummarizer((signal) => {
      queueMicrotask(() => cancel.abort());
      return endless(signal);
    });
    const { service, current } = createService(createTurns(4), { model });
    expect(await service.compact({ ...automatic, signal: cancel.signal })).toMatchObject({ type: "failed", reason: "cancelled" });
    expect(current()).toMatchObject({ summary: null, pruning: null });
  });

  it("[Q8] a request that fits is not changed if there is no summary", async () => {
    const { service, current } = createService(createTurns(4), {
      model: null,
      window: 100_000,
      settings: policy({ triggerMessages: 3 }),
    });
    expect(await service.compact(automatic)).toEqual({
      type: "failed",
      usage: {},
      reason: "no-model",
      fits: true,
      tokens: expect.any(Number),
      text: { code: "compression-failed", failure: "no-model", fits: true },
      message: "No model is set for summaries. Nothing was changed.",
    });
    expect(current().pruning).toBeNull();
  });

  it("[Q8] on request and without a model, it prunes half of what it can", async () => {
    const { service } = createService(createTurns(8), { model: null, window: 100_000 });
    const outcome = await service.compact(byHand);
    expect(outcome).toMatchObject({ type: "pruned", cause: "no-model", fits: true });
    if (outcome.type === "pruned") expect(outcome.tokensAfter).toBeLessThanOrEqual(outcome.tokensBefore / 2);
  });
});

describe("tiny windows", () => {
  it.each([0, 10, 200, 500, 700])(
    "[Q8] of %i: it shrinks or says that it cannot, and the current request stays word for word",
    async (window) => {
      for (const model of [null, createSummarizer(() => "They read files.")]) {
        for (const turns of [0, 1, 2, 5]) {
          const { service, current } = createService(createTurns(turns), { window, model });
          const before = turns === 0 ? [] : buildRequest(current()).request;
          const outcome = await service.compact(automatic);
          if (turns === 0) continue;
          const { request } = buildRequest(current());
          expect(request.slice(-4)).toEqual(before.slice(-4));
          if (outcome.type === "compressed" || outcome.type === "pruned") expect(count(request)).toBeLessThan(count(before));
          else expect(request).toEqual(before);
          const fits = count(request) <= window / 2;
          if (outcome.type !== "not-needed") expect(outcome.fits).toBe(fits);
          expect(/start a new attempt/i.test(outcome.message)).toBe(!fits);
        }
      }
    },
  );
});

describe("undoing", () => {
  it("[Q8] restores byte-identical requests, one compression after the other", async () => {
    const memory = createService(createTurns(6), { window: 3_000 });
    const bytes = () => JSON.stringify(buildRequest(memory.current()).request);
    const seen = [bytes()];
    const services = [bad.empty(), createSummarizer(() => "First."), createSummarizer(() => "Second.")].map((model, i) =>
      createServiceOver(memory, model, 3 - i),
    );
    for (const service of services) {
      await service.compact(byHand);
      seen.push(bytes());
    }
    expect(new Set(seen).size).toBe(4);
    for (const expected of seen.slice(0, -1).toReversed()) {
      expect(await memory.service.undo({ attemptId })).toBe(true);
      expect(bytes()).toBe(expected);
    }
    expect(await memory.service.undo({ attemptId })).toBe(false);
  });

  it("[R10] two compressions at once: the first wins, the second changes nothing", async () => {
    const { service, current } = createService(createTurns(4));
    const outcomes = await Promise.all([service.compact(byHand), service.compact(byHand)]);
    expect(outcomes.map(({ type }) => type).toSorted()).toEqual(["compressed", "failed"]);
    expect(outcomes.find(({ type }) => type === "failed")).toMatchObject({ reason: "changed-meanwhile" });
    expect(current().summary?.messageIds).toHaveLength(12);
  });
});

describe("settings", () => {
  const many = () => createTurns(8);
  const shown = (outcome: { type: string; message: string }) => [outcome.type, outcome.message];

  it("[R10] turned off, it writes no summary, and on request it reports how to turn it on", async () => {
    const model = createSummarizer(() => "never");
    const { service, current } = createService(many(), { model, window: 100_000, settings: policy({ enabled: false }) });
    expect(await service.compact(automatic)).toMatchObject({ type: "not-needed" });
    expect(shown(await service.compact(byHand))).toEqual([
      "failed",
      "Compression is turned off. Nothing was changed. Turn it on in Settings → Conversations, then send /compact.",
    ]);
    expect([model.requests.length, current().summary, current().pruning]).toEqual([0, null, null]);
  });

  it("[R10] not automatic, only the user starts a summary", async () => {
    const { service, current } = createService(many(), { window: 5_000, settings: policy({ auto: false }) });
    expect(await service.compact(automatic)).toMatchObject({ type: "not-needed" });
    expect(await service.compact(byHand)).toMatchObject({ type: "compressed" });
    expect(current().summary).not.toBeNull();
  });

  it.each([
    ["switched-off", { enabled: false }, "Compression is turned off"],
    ["not-automatic", { auto: false }, "Conversations are not compressed automatically"],
  ] as const)("[R10][Q8] %s: a request that does not fit is pruned without a model", async (cause, changes, why) => {
    const model = createSummarizer(() => "never");
    const { service, current } = createService(many(), { model, window: 3_000, settings: policy(changes) });
    const outcome = await service.compact(automatic);
    expect(outcome).toMatchObject({ type: "pruned", cause, fits: true });
    expect(outcome.message).toContain(`${why}, so the`);
    expect([model.requests.length, current().summary]).toEqual([0, null]);
    expect(count(buildRequest(current()).request)).toBeLessThanOrEqual(1_500);
  });

  it("[R10] a number of messages starts a summary, but never of the turns that are to stay", async () => {
    const settings = policy({ triggerMessages: 10, keepRecentTurns: 3 });
    const few = createService(createTurns(3), { window: 100_000, settings });
    expect(await few.service.compact(automatic)).toMatchObject({ type: "not-needed" });
    const more = createService(createTurns(4), { window: 100_000, settings });
    expect(await more.service.compact(automatic)).toMatchObject({ type: "compressed" });
    expect(more.current().summary?.messageIds).toHaveLength(4);
  });
});
