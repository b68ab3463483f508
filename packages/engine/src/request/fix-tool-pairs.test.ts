import type { MessageBody } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixToolPairs } from "./fix-tool-pairs.ts";
import { answer, answers, anyHistory, calls, user, validHistory } from "./history.fixture.ts";
import { missingResultText } from "./missing-result.ts";
import { validateMessages } from "./validate-messages.ts";

function fix(...messages: MessageBody[]): readonly MessageBody[] {
  return fixToolPairs(messages).messages;
}

const missing = (id: string): MessageBody => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: id, toolName: "probe", input: {}, result: missingResultText, isError: true }],
});

function damageOf(how: string, one: MessageBody, two: MessageBody | undefined): MessageBody[] {
  switch (how) {
    case "double":
      return [one, one];
    case "swap":
      return two === undefined ? [one] : [two, one];
    case "re-id":
      if (one.role === "tool") return [{ ...one, content: one.content.map((part) => ({ ...part, toolCallId: `${part.toolCallId}'` })) }];
      if (one.role !== "assistant" || one.toolCalls === undefined) return [one];
      return [{ ...one, toolCalls: one.toolCalls.map((each) => ({ ...each, id: `${each.id}'` })) }];
    default:
      return [];
  }
}

function countParts(messages: readonly MessageBody[]): number {
  return messages.reduce((sum, message) => {
    if (message.role === "tool") return sum + message.content.length;
    return sum + (message.role === "assistant" ? (message.toolCalls?.length ?? 0) : 0);
  }, 0);
}

describe("tool pairs", () => {
  it("[R4] a result without its call is dropped, and only that part of its message", () => {
    expect(fix(calls("a"), answers("a", "x"), user, answers("y"))).toEqual([calls("a"), answers("a"), user]);
  });

  it("[R4] a call without a result gets an error result with what is known", () => {
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

  it("[Q2] every repair is reported", () => {
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
        expect(fixToolPairs(fixed)).toMatchObject({ messages: fixed, repairs: [] });
        expect(fixToolPairs(fixed).messages).toBe(fixed);
        expect(fixToolPairs(history).repairs.length > 0, "a repair that was not reported").toBe(fixed !== history);
        expect(JSON.stringify(history), "the input was changed").toBe(before);
        const others = (messages: readonly MessageBody[]) => messages.filter(({ role }) => role === "user" || role === "system");
        expect(others(fixed)).toEqual(others(history));
      }),
      { numRuns: 2000 },
    );
  });

  it("[R4][T6] a result that directly follows a call answers it, whatever was open under the same id before", () => {
    const late: MessageBody = { role: "tool", content: [answer("a", "late")] };
    expect(fix(calls("a"), user, calls("a"), answers("a"))).toEqual([
      calls("a"),
      missing("a"),
      user,
      calls("a_2"),
      { role: "tool", content: [{ ...answer("a"), toolCallId: "a_2" }] },
    ]);
    expect(fix(calls("a"), user, calls("a"), answers("a"), user, late)).toEqual([
      calls("a"),
      late,
      user,
      calls("a_2"),
      { role: "tool", content: [{ ...answer("a"), toolCallId: "a_2" }] },
      user,
    ]);
  });

  it("[R4][T6] a result waits for its call only until the next user message", () => {
    expect(fix(user, answers("a"), calls("a"), user)).toEqual([user, calls("a"), answers("a"), user]);
    expect(fix(user, answers("a"), user, calls("a"))).toEqual([user, user, calls("a"), missing("a")]);
  });

  it("[R4] where a call or its result has no id, order decides", () => {
    expect(fix(calls("a", "b"), answers("", "a"))).toEqual([
      calls("a", "b"),
      { role: "tool", content: [answer("a"), { ...answer(""), toolCallId: "b" }] },
    ]);
    expect(fix(calls(""), answers("x"))).toEqual([calls("call"), { role: "tool", content: [{ ...answer("x"), toolCallId: "call" }] }]);
  });

  it("[R4] a generated result depends on its call alone", () => {
    expect(JSON.stringify(fix(calls("a")))).toBe(JSON.stringify(fix(calls("a"))));
    expect(fix(calls("a"), user, calls("b")).slice(0, 2)).toEqual(fix(calls("a")));
  });

  it("[Q2] a valid history that was damaged in one place keeps everything else, and reports each repair", () => {
    const damage = fc.constantFrom("delete", "double", "swap", "re-id");
    fc.assert(
      fc.property(validHistory, fc.nat(), damage, (history, pick, how) => {
        const i = pick % Math.max(1, history.length);
        const [one, two] = [history[i], history[i + 1]];
        if (one === undefined || (how === "swap" && two === undefined)) return;
        const damaged = history.toSpliced(i, how === "swap" ? 2 : 1, ...damageOf(how, one, two));
        const { messages: fixed, repairs } = fixToolPairs(damaged);
        if (fixed.length > 0) validateMessages(fixed);
        expect(repairs.length > 0).toBe(fixed !== damaged);
        // Minimal: whatever lies outside the damaged turn is the same object; nothing but what was hit is gone or made up.
        const start = history.slice(0, i).findLastIndex(({ role }) => role !== "tool");
        const end = history.findIndex(({ role }, k) => k > i + 1 && role !== "tool");
        const kept = [...history.slice(0, Math.max(0, start)), ...(end < 0 ? [] : history.slice(end))];
        for (const message of kept) expect(fixed).toContain(message);
        const hit = countParts(how === "swap" ? [one, ...(two ? [two] : [])] : [one]);
        expect(repairs.length).toBeLessThanOrEqual(2 * hit);
      }),
      { numRuns: 2000 },
    );
  });

  it("[Q9] a longer history begins with the same messages", () => {
    fc.assert(
      fc.property(validHistory, validHistory, (history, more) => {
        const first = fixToolPairs([...history, user]).messages;
        const longer = fixToolPairs([...history, user, ...more]).messages;
        expect(longer.slice(0, first.length)).toEqual(first);
      }),
    );
  });
});
