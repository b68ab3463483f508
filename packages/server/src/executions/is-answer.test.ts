import type { AgentOutput } from "@skein/contracts";
import { testId } from "@skein/testkit";
import { expect, it } from "vitest";
import { isAnswer } from "./is-answer.ts";

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
