import type { Attempt, AttemptId, Compression, Execution, ExecutionId, ForkPoint, MessageId, StoredMessage } from "@skein/contracts";
import { expect, test } from "vitest";
import type { StorageReader } from "../ports/storage.ts";
import { countRanges, listInheritedRanges, sliceRanges } from "./history-ranges.ts";
import { listHistoryEnds, streamHistory } from "./list-history.ts";

const attempt = (name: string, createdAt: number, continuedFrom: string | null): Attempt =>
  ({ id: `att_${name}` as AttemptId, createdAt, continuedFrom: continuedFrom && `att_${continuedFrom}` }) as Attempt;
const execution = (attemptName: string, number: number, endedAt?: number): Execution =>
  ({
    id: `exe_${attemptName}${number}`,
    attemptId: `att_${attemptName}`,
    number,
    status: endedAt === undefined ? "running" : "success",
    endedAt,
  }) as Execution;
const message = (owner: string, number: number, role: "user" | "assistant", createdAt: number): StoredMessage => ({
  id: `msg_${owner}${number}${role}` as MessageId,
  attemptId: `att_${owner}` as AttemptId,
  executionId: `exe_${owner}${number}` as ExecutionId,
  position: role === "user" ? 0 : 1,
  body: { role, content: "x" },
  createdAt,
});

const attempts = [attempt("a", 0, null), attempt("b", 50, "a"), attempt("c", 90, "b")];
const executions = [execution("a", 1, 20), execution("a", 2, 60), execution("a", 3, 95), execution("b", 1, 80), execution("b", 2)];
const messages = [
  ...[message("a", 1, "user", 10), message("a", 1, "assistant", 20)],
  ...[message("a", 2, "user", 40), message("a", 2, "assistant", 45)],
  ...[message("a", 3, "user", 85), message("a", 3, "assistant", 86)],
  ...[message("b", 1, "user", 70), message("b", 1, "assistant", 80)],
  ...[message("b", 2, "user", 88), message("b", 2, "assistant", 89)],
  ...[message("c", 1, "user", 100)],
];
const ownMessages = (attemptId: AttemptId) => messages.filter((one) => one.attemptId === attemptId);
const reader = {
  findAttempt: async ({ id }: { id: AttemptId }) => attempts.find((one) => one.id === id),
  listExecutions: async ({ attemptId }: { attemptId: AttemptId }) => executions.filter((one) => one.attemptId === attemptId),
  countMessages: async ({ attemptId }: { attemptId: AttemptId }) =>
    [...Map.groupBy(ownMessages(attemptId), ({ executionId }) => executionId)].map(([executionId, { length: count }]) => ({
      executionId,
      count,
    })),
  listMessages: async ({ attemptId, offset = 0, limit = Number.POSITIVE_INFINITY }: Parameters<StorageReader["listMessages"]>[0]) =>
    ownMessages(attemptId).slice(offset, offset + limit),
  listNextMessages: async ({ attemptId, after, limit }: Parameters<StorageReader["listNextMessages"]>[0]) => {
    const start = ownMessages(attemptId).findIndex(({ id }) => id === after) + 1;
    return ownMessages(attemptId).slice(start, start + limit);
  },
};
const pause = async () => {};

async function collect(...input: Parameters<typeof streamHistory>): Promise<StoredMessage[]> {
  const read: StoredMessage[] = [];
  for await (const slice of streamHistory(...input)) read.push(...slice);
  return read;
}

async function idsOf(name: string): Promise<string[]> {
  const found = attempts.find(({ id }) => id === `att_${name}`);
  return found === undefined ? [] : (await collect(reader, found, pause)).map(({ id }) => id.slice("msg_".length));
}

test("an attempt that continues none has its own messages", async () => {
  expect(await idsOf("a")).toEqual(["a1user", "a1assistant", "a2user", "a2assistant", "a3user", "a3assistant"]);
});

test("[R11] an attempt that continues others has their messages up to its creation, then its own", async () => {
  expect(await idsOf("b")).toEqual(["a1user", "a1assistant", "a2user", "b1user", "b1assistant", "b2user", "b2assistant"]);
  expect(await idsOf("c")).toEqual(["a1user", "a1assistant", "a2user", "b1user", "b1assistant", "b2user", "c1user"]);
});

test("[G3] a fork has the messages up to its point, of the attempts before that as well", async () => {
  const point = (executionId: string, at: "start" | "end") => ({ executionId: executionId as ExecutionId, at });
  const fork = async (continuedFrom: string, forkedFrom: ForkPoint) =>
    (await collect(reader, { ...attempt("f", 99, continuedFrom), forkedFrom }, pause)).map(({ id }) => id.slice("msg_".length));
  expect(await fork("a", point("exe_a2", "start"))).toEqual(["a1user", "a1assistant"]);
  expect(await fork("a", point("exe_a2", "end"))).toEqual(["a1user", "a1assistant", "a2user", "a2assistant"]);
  expect(await fork("a", point("exe_a1", "start"))).toEqual([]);
  expect(await fork("b", point("exe_b1", "end"))).toEqual(["a1user", "a1assistant", "a2user", "b1user", "b1assistant"]);
  // an execution that is running: only what came before it
  expect(await fork("b", point("exe_b2", "start"))).toEqual(["a1user", "a1assistant", "a2user", "b1user", "b1assistant"]);
});

test("[C1] any part of what is inherited is found without reading the rest", async () => {
  const inherited = (await idsOf("c")).slice(0, 6);
  const ranges = await listInheritedRanges(reader, attempts[2] as Attempt);
  expect(countRanges(ranges)).toBe(inherited.length);
  for (let start = 0; start <= 6; start++) {
    for (let end = start; end <= 7; end++) {
      const found = sliceRanges(ranges, start, end).flatMap(({ attemptId, offset, count }) =>
        ownMessages(attemptId).slice(offset, offset + count),
      );
      expect(found.map(({ id }) => id.slice("msg_".length))).toEqual(inherited.slice(start, end));
    }
  }
});

test("[C1] a long history is read in parts, and other work runs in between", async () => {
  const long = Array.from({ length: 1700 }, (_, i) => ({ ...message("a", 1, "user", i), id: `msg_${i}` as MessageId }));
  let pauses = 0;
  let largest = 0;
  const listNextMessages = async ({ after, limit }: { after?: MessageId | undefined; limit: number }) => {
    largest = Math.max(largest, limit);
    const start = long.findIndex(({ id }) => id === after) + 1;
    return long.slice(start, start + limit);
  };
  const read = await collect({ ...reader, listNextMessages }, attempts[0] as Attempt, async () => void pauses++);
  expect(read).toEqual(long);
  expect(largest).toBeLessThanOrEqual(500);
  expect(pauses).toBeGreaterThanOrEqual(Math.floor(1700 / largest));
});

test("the ends of a long history are read without its middle, across attempts", async () => {
  const whole = await idsOf("c");
  for (const [first, last] of [
    [1, 1],
    [2, 3],
    [0, 7],
    [7, 0],
    [4, 4],
  ] as const) {
    const read = await listHistoryEnds(reader, attempts[2] as Attempt, {
      first,
      last,
      compression: { summary: null, pruning: null },
      pause,
    });
    const expected = first + last >= whole.length ? whole : [...whole.slice(0, first), ...whole.slice(whole.length - last)];
    expect(read.map(({ id }) => id.slice("msg_".length))).toEqual(expected);
  }
});

test("[R2] the ends of a compressed history have the messages that no summary replaces, and the summary's position", async () => {
  const whole = await idsOf("c");
  const compressed = whole.slice(0, 4).map((id) => `msg_${id}`);
  const summary = { messageIds: compressed, startMessageId: compressed[0] } as Compression["summary"];
  const ends = async (first: number, last: number) =>
    (await listHistoryEnds(reader, attempts[2] as Attempt, { first, last, compression: { summary, pruning: null }, pause })).map(({ id }) =>
      id.slice("msg_".length),
    );
  expect(await ends(10, 10)).toEqual([whole[0], ...whole.slice(4)]);
  expect(await ends(1, 2)).toEqual([whole[0], ...whole.slice(5)]);
  expect(await ends(2, 0)).toEqual([whole[0], whole[4]]);
});
