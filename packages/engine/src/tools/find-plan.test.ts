import { describe, expect, it } from "vitest";
import { findPlan } from "./find-plan.ts";

describe("[E10] the plan that an agent asks about", () => {
  it("is in its input, or in the content of the call", () => {
    expect(findPlan({ toolName: "ExitPlanMode", input: { plan: "1. Do it." } })).toEqual({ text: "1. Do it.", field: "plan" });
    expect(findPlan({ toolName: "exit_plan", input: { title: "x", content: "# Plan" } })).toEqual({ text: "# Plan", field: "content" });
  });

  it.each([
    { toolName: "ExitPlanMode", input: {} },
    { toolName: "ExitPlanMode", input: { plan: "  " } },
    { toolName: "ExitPlanMode", input: null },
    { toolName: "Write", input: { content: "# Plan" } },
  ])("is none in %j", (approval) => expect(findPlan(approval)).toBeUndefined());
});
