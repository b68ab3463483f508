import type { MessageBody } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixToolPairs, missingResultText } from "./fix-tool-pairs.ts";
import { answer, answers, anyHistory, calls, user, validHistory } from "./history.fixture.ts";
import { validateMessages } from "./validate-messages.ts";

function fix(...messages: MessageBody[]): readonly MessageBody[] {
  return fixToolPairs(messages).messages;
}

const missing = (id: string): MessageBody => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: id, toolName: "probe", input: {}, result: missingResultText, isError: true }],
});

describe("tool pairs", () => {
  it("[R4] a result without its call is dropped, and only that part of its message", () => {
    expect(fix(calls("a"), answers("a", "x"), user, answers("y"))).toEqual([calls("a"), answers("a"), user]);
  });

  it("[R4] a call without a result gets an error result that says what is known", () => {
    expect(fix(calls("a", "b"), answers("b"), user)).toEqual([calls("a", "b"), missing("a"), answers("b"), user]);
  });

  it("[R4] the first result of a call wins", () => {
    const first: MessageBody = { role: "tool", content: [answer("a", "1"), answer("a", "2")] };
    expect(fix(calls("a"), first, answers("a"))).toEqual([calls("a"), { role: "tool", content: [answer("a", "1")] }]);
  });

  it("[R4] results directly follow their call, in call order", () => {
    expect(fix(calls("a", "b"), user, answers("b"), answers("a"))).toEqual([calls("a", "b"), answers("a"), answers("b"), user]);
    expect(fix(answers("a"), calls("a"), user)).toEqual([calls("a"), answers("a"), user]);
  });

  it("[R4][T6] an id that is used again is paired by position and gets a name of its own", () => {
    expect(fix(calls("a"), answers("a"), calls("a"), answers("a"))).toEqual([
      calls("a"),
      answers("a"),
      calls("a_2"),
      { role: "tool", content: [{ ...answer("a"), toolCallId: "a_2" }] },
    ]);
  });

  it("[R4] calls and results without ids are paired by position", () => {
    const fixed = fix(calls("", ""), answers("", ""));
    expect(fixed[0]).toEqual(calls("call", "call_2"));
    expect(fixed[1]).toMatchObject({ content: [{ toolCallId: "call" }, { toolCallId: "call_2" }] });
  });

  it("[Q2] every repair is told", () => {
    expect(fixToolPairs([calls("a"), user, calls("a", "b"), answers("b"), answers("x")]).repairs).toEqual([
      { type: "dropped-result", toolCallId: "x" },
      { type: "added-result", toolCallId: "a" },
      { type: "renamed-call", toolCallId: "a_2", from: "a" },
      { type: "added-result", toolCallId: "a_2" },
    ]);
  });

  it("[R4][Q2] a valid history is the same array", () => {
    fc.assert(
      fc.property(validHistory, (history) => {
        const fixed = fixToolPairs(history);
        expect(fixed.messages).toBe(history);
        expect(fixed.repairs).toEqual([]);
      }),
    );
  });

  it("[R4][Q2] for any history the repaired one is valid, and repairing it again changes nothing", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const before = JSON.stringify(history);
        const fixed = fixToolPairs(history).messages;
        if (fixed.length > 0) validateMessages(fixed);
        expect(fixToolPairs(fixed).messages).toBe(fixed);
        expect(JSON.stringify(history), "the input was changed").toBe(before);
        const others = (messages: readonly MessageBody[]) => messages.filter(({ role }) => role === "user" || role === "system");
        expect(others(fixed)).toEqual(others(history));
      }),
      { numRuns: 2000 },
    );
  });

  it("[Q2] a valid history that was damaged in one place keeps all that was right", () => {
    fc.assert(
      fc.property(validHistory, fc.nat(), fc.constantFrom("delete", "double", "swap"), (history, pick, how) => {
        const i = pick % Math.max(1, history.length);
        const [one, two] = [history[i], history[i + 1]];
        if (one === undefined) return;
        const damaged = history.toSpliced(
          i,
          how === "swap" ? 2 : 1,
          ...(how === "double" ? [one, one] : how === "swap" && two ? [two, one] : []),
        );
        const fixed = fixToolPairs(damaged).messages;
        if (fixed.length > 0) validateMessages(fixed);
        // Whatever ends before the damage is the same object at the same place.
        const untouched = history.slice(0, i).findLastIndex((message) => message.role === "user") + 1;
        for (let k = 0; k < untouched; k++) expect(fixed[k]).toBe(history[k]);
      }),
      { numRuns: 500 },
    );
  });

  it("[Q9] a history that goes on begins with the same messages", () => {
    fc.assert(
      fc.property(validHistory, validHistory, (history, more) => {
        const first = fixToolPairs([...history, user]).messages;
        const longer = fixToolPairs([...history, user, ...more]).messages;
        expect(longer.slice(0, first.length)).toEqual(first);
      }),
    );
  });
});
