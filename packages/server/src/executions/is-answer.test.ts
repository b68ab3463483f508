import type { AgentOutput } from "@skein/contracts";
import { testId } from "@skein/testkit";
import { expect, it } from "vitest";
import { isAnswer, isWork } from "./is-answer.ts";

const notice = (code: string): AgentOutput => ({ type: "notice", messageId: testId("msg"), text: "…", code, at: 1 });

it("[E5] what is said about an agent is no answer of it, also not that its model does not respond or is asked again", () => {
  for (const code of ["before-agent", "permissions-ignored", "agent-retry", "agent-silent"])
    expect(isAnswer(notice(code)), code).toBe(false);
  expect(isAnswer(notice("agent-error"))).toBe(true);
});

it("[E5] a failed setup is no answer, an error of the agent is one", () => {
  expect(isAnswer({ type: "tool-progress", toolUseId: "setup_1", text: "x", at: 1 } as AgentOutput)).toBe(false);
  expect(isAnswer({ type: "error", messageId: testId("msg"), text: "401", at: 1 })).toBe(true);
});

it("[E2] an agent that only reported an error or a notice has not begun to work on its message", () => {
  const common = { messageId: testId("msg"), at: 1 };
  for (const output of [notice("agent-error"), { ...common, type: "error", text: "401" } as const]) expect(isWork(output)).toBe(false);
  expect(isWork({ ...common, type: "text", text: "Hello" } as AgentOutput)).toBe(true);
  expect(isWork({ ...common, type: "raw", text: "?", reason: "?" })).toBe(true);
  expect(isWork({ ...common, type: "user-message", text: "and this" })).toBe(true);
});
