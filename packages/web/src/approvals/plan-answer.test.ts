import { describe, expect, it } from "vitest";
import { toPlanAnswer, toWorkingMode } from "./plan-answer.ts";

describe("[E10] the answer to a plan", () => {
  it("carries the plan only where the user changed it", () => {
    const plan = "1. Do it.";
    const approved = { decision: "allow", plan: { mode: "ask" } };
    for (const draft of [null, plan, "", "  "]) expect(toPlanAnswer({ plan, draft, mode: "ask" })).toEqual(approved);
    expect(toPlanAnswer({ plan, draft: "2. Do more.", mode: "full" })).toEqual({
      decision: "allow",
      plan: { mode: "full", text: "2. Do more." },
    });
  });

  it("is carried out as the attempt works otherwise", () => {
    expect(toWorkingMode("ask", "full")).toBe("ask");
    expect(toWorkingMode("plan", "full")).toBe("full");
    expect(toWorkingMode("plan", undefined)).toBe("accept-edits");
    expect(toWorkingMode(undefined, undefined)).toBe("accept-edits");
  });
});
