import type { AgentId, Attempt, AttemptId } from "@skein/contracts";
import { expect, test } from "vitest";
import { toContinuation, toConversationStage } from "./conversation-stage.ts";

const attempt = { id: "att_1" as AttemptId, isolation: "worktree", permissionMode: "ask" } as Attempt;
const nothing = { isLoaded: true, isExecuting: false, messages: [], outgoing: [] };

test("a task without an attempt invites to start, also while nothing is loaded", () => {
  expect(toConversationStage(undefined, { ...nothing, isLoaded: false })).toBe("empty");
});

test("an attempt is empty until something was sent, is being sent, or runs", () => {
  expect(toConversationStage(attempt, { ...nothing, isLoaded: false })).toBe("loading");
  expect(toConversationStage(attempt, nothing)).toBe("empty");
  for (const some of [{ messages: [1] }, { outgoing: [1] }, { isExecuting: true }])
    expect(toConversationStage(attempt, { ...nothing, ...some })).toBe("messages");
});

test("another agent continues with its own default model, and otherwise with the same settings", () => {
  const same = { isolation: "worktree", permissionMode: "ask", continueFrom: "att_1" };
  expect(toContinuation(attempt, { id: "codex" as AgentId, defaultModel: "m" })).toEqual({ agent: "codex", model: "m", ...same });
  expect(toContinuation(attempt, { id: "codex" as AgentId })).toEqual({ agent: "codex", ...same });
});
