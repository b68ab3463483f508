import type { EndedExecution } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { createFormats } from "../i18n/format.ts";
import { taskEn } from "../i18n/task-text.ts";
import { toExecutionFacts } from "./execution-facts.ts";

const facts = (changes: Partial<EndedExecution>) =>
  toExecutionFacts({ status: "success", durationMs: 4260, usage: {}, ...changes } as EndedExecution, taskEn, createFormats("en"));

describe("[E9] toExecutionFacts", () => {
  it("lists duration, tokens and cost", () => {
    expect(facts({ usage: { inputTokens: 12_340, outputTokens: 840, costUsd: 0.0123 } })).toEqual([
      "4.2 sec",
      "12.3k tokens in",
      "840 out",
      "$0.0123",
    ]);
  });

  it("leaves out what is not known; a cost of zero is known", () => {
    expect(facts({})).toEqual(["4.2 sec"]);
    expect(facts({ usage: { costUsd: 0 } })).toEqual(["4.2 sec", "$0.00"]);
  });

  it("marks a token count as a minimum where an agent reports only some of its requests", () => {
    const usage = { inputTokens: 12_340, outputTokens: 840, costUsd: 0.5, isPartial: true as const };
    expect(facts({ usage })).toEqual(["4.2 sec", "at least 12.3k tokens in", "at least 840 out", "$0.50"]);
  });

  it("states how it ended when it did not succeed", () => {
    expect(facts({ status: "cancelled" })[0]).toBe("Stopped");
  });
});
