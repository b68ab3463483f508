import { describe, expect, it } from "vitest";
import { atDraft, stepHistory, toSentHistory } from "./sent-history.ts";

describe("history of sent messages", () => {
  const sent = ["one", "two", "three"];

  it("goes back to the oldest, and forward to what was being typed", () => {
    const seen: string[] = [];
    let at = atDraft;
    let typed = "half a thought";
    for (const direction of ["older", "older", "older", "older", "newer", "newer", "newer", "newer"] as const) {
      const step = stepHistory(sent, at, direction, typed);
      if (step) ({ at, text: typed } = step);
      seen.push(typed);
    }
    expect(seen).toEqual(["three", "two", "one", "one", "two", "three", "half a thought", "half a thought"]);
  });

  it("holds each message once, at its newest place", () => {
    const said = (content: string, role = "user") => ({ role, messageType: "text", content });
    expect(toSentHistory([said("a"), said("b"), said("x", "assistant"), said("a"), said(" ")])).toEqual(["b", "a"]);
  });
});
