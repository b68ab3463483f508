import type { Attempt, AttemptId, Execution, ExecutionId, MessageId, StoredMessage } from "@skein/contracts";
import { expect, test } from "vitest";
import { listHistory } from "./list-history.ts";

const attempt = (name: string, createdAt: number, continuedFrom: string | null): Attempt =>
  ({ id: `att_${name}` as AttemptId, createdAt, continuedFrom: continuedFrom && `att_${continuedFrom}` }) as Attempt;
const execution = (attemptName: string, number: number, endedAt?: number): Execution =>
  ({
    id: `exe_${attemptName}${number}`,
    attemptId: `att_${attemptName}`,
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
const reader = {
  findAttempt: async ({ id }: { id: AttemptId }) => attempts.find((one) => one.id === id),
  listExecutions: async ({ attemptId }: { attemptId: AttemptId }) => executions.filter((one) => one.attemptId === attemptId),
  listMessages: async ({ attemptId }: { attemptId: AttemptId }) => messages.filter((one) => one.attemptId === attemptId),
};

async function idsOf(name: string): Promise<string[]> {
  const found = attempts.find(({ id }) => id === `att_${name}`);
  return found === undefined ? [] : (await listHistory(reader, found)).map(({ id }) => id.slice("msg_".length));
}

test("an attempt of its own has its own messages", async () => {
  expect(await idsOf("a")).toEqual(["a1user", "a1assistant", "a2user", "a2assistant", "a3user", "a3assistant"]);
});

test("[R11] one that goes on has what was said before it was made, through all that it goes on from, then its own", async () => {
  expect(await idsOf("b")).toEqual(["a1user", "a1assistant", "a2user", "b1user", "b1assistant", "b2user", "b2assistant"]);
  expect(await idsOf("c")).toEqual(["a1user", "a1assistant", "a2user", "b1user", "b1assistant", "b2user", "c1user"]);
});
