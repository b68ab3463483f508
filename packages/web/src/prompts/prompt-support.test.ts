import type { AgentInfo } from "@skein/contracts";
import { expect, it } from "vitest";
import { createFormats } from "../i18n/format.ts";
import { taskEn } from "../i18n/task-text.ts";
import { describePromptSupport } from "./prompt-support.ts";

const agent = (name: string, systemPromptSupport: AgentInfo["systemPromptSupport"], available = true): AgentInfo => ({
  id: `acp:${name}`,
  name,
  available,
  models: [],
  ...(systemPromptSupport === undefined ? {} : { systemPromptSupport }),
});
const agents = [
  agent("A", "none"),
  agent("B", "next-message"),
  agent("C", "new-session-if-offered"),
  agent("D", undefined),
  agent("E", "none", false),
];
const texts = taskEn.shell.settings.conversations.prompt.support;

it("[R5] which agents take a system prompt is described from what each of them reports", () => {
  expect(describePromptSupport(agents, texts, createFormats("en"))).toEqual([
    "A change applies from the next message on: B.",
    "It applies to new attempts, if the installed version supports it: C.",
    "Without support for a system prompt: A, D.",
  ]);
  expect(describePromptSupport(agents, texts, createFormats("en"), "acp:E")).toEqual(["Without support for a system prompt: E."]);
});
