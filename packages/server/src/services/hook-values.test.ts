import { describe, expect, it } from "vitest";
import { toHookValues } from "./hook-values.ts";

describe("[L6] incoming webhooks", () => {
  it("the fields of a delivery are variables by their paths; the event of the sender is not replaced by one of the body", () => {
    const payload = { event: "forged", issue: { title: "T", labels: [{ name: "bug" }], body: null, open: true, n: 0 }, "": "x" };
    expect(Object.fromEntries(toHookValues(payload, "issues"))).toEqual({
      ...{ event: "issues", "issue.title": "T", "issue.labels.0.name": "bug", "issue.open": "true", "issue.n": "0" },
    });
  });

  it("deep, wide and long bodies are bounded", () => {
    let deep: unknown = "end";
    for (let i = 0; i < 50; i++) deep = { a: deep };
    expect(toHookValues(deep, undefined).size).toBe(0);
    expect(toHookValues(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, i])), undefined).size).toBe(500);
    expect(toHookValues({ a: "x".repeat(1_000_000) }, undefined).get("a")?.length).toBe(20_001);
  });
});
