import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolPairing } from "./tool-pairing.ts";

describe("pairing uses and results", () => {
  it("[T6] the same id used twice pairs first open first, whatever the order of the results", () => {
    const pairing = new ToolPairing<string, string>();
    pairing.addUse("a", "use 1");
    pairing.addUse("a", "use 2");
    pairing.addUse("b", "use 3");
    expect(pairing.addResult("b", "r")).toEqual({ type: "paired", use: "use 3" });
    expect(pairing.addResult("a", "r")).toEqual({ type: "paired", use: "use 1" });
    expect(pairing.addResult("a", "r")).toEqual({ type: "paired", use: "use 2" });
  });

  it("[T3] a result before its use waits, and several wait in order", () => {
    const pairing = new ToolPairing<string, string>();
    expect(pairing.addResult("a", "r1")).toEqual({ type: "waiting" });
    expect(pairing.addResult("a", "r2")).toEqual({ type: "waiting" });
    expect(pairing.addUse("a", "use 1")).toBe("r1");
    expect(pairing.addUse("a", "use 2")).toBe("r2");
    expect(pairing.addUse("a", "use 3")).toBeUndefined();
  });

  it("[Q3] a result after the end is extra, and never answers a use that comes later", () => {
    const pairing = new ToolPairing<string, string>();
    pairing.addUse("a", "use 1");
    pairing.addResult("a", "r1");
    expect(pairing.addResult("a", "r2")).toEqual({ type: "extra", use: "use 1" });
    pairing.addUse("b", "use 2");
    pairing.end("b", "use 2");
    expect(pairing.addResult("b", "r3")).toEqual({ type: "extra", use: "use 2" });
    expect(pairing.addUse("a", "use 3")).toBeUndefined();
  });

  it("a use that was withdrawn leaves nothing behind", () => {
    const ledgers = new Map();
    const pairing = new ToolPairing<string, string>({ ledgers });
    pairing.addUse("a", "use 1");
    pairing.withdraw("a", "use 1");
    expect(ledgers.size).toBe(0);
    expect(pairing.addResult("a", "r")).toEqual({ type: "waiting" });
  });

  it("[T3, T5] ended uses are remembered for a while; open uses and waiting results are never forgotten", () => {
    const ledgers = new Map();
    const pairing = new ToolPairing<number, number>({ maxEnded: 5, ledgers });
    pairing.addUse("open", -1);
    for (let i = 0; i < 100; i++) {
      pairing.addUse(`ended ${i}`, i);
      pairing.addResult(`ended ${i}`, i);
      pairing.addResult(`waiting ${i}`, i);
    }
    expect(ledgers.size).toBe(1 + 5 + 100);
    expect(pairing.addResult("open", 0)).toEqual({ type: "paired", use: -1 });
    expect(pairing.addResult("ended 99", 1)).toEqual({ type: "extra", use: 99 });
    for (let i = 0; i < 100; i++) expect(pairing.addUse(`waiting ${i}`, 1)).toBe(i);
    expect(ledgers.size).toBe(5);
  });

  it("[T6] every use gets at most one result and every result goes to at most one use of its id", () => {
    const step = fc.record({ id: fc.constantFrom("a", "b", "c"), kind: fc.constantFrom("use", "result") });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const pairing = new ToolPairing<number, number>();
        const usedResults = new Set<number>();
        const answeredUses = new Set<number>();
        const pair = (use: number, result: number) => {
          expect(steps[use]?.id).toBe(steps[result]?.id);
          expect(usedResults.has(result) || answeredUses.has(use)).toBe(false);
          usedResults.add(result);
          answeredUses.add(use);
        };
        steps.forEach(({ id, kind }, i) => {
          if (kind === "use") {
            const result = pairing.addUse(id, i);
            if (result !== undefined) pair(i, result);
          } else {
            const outcome = pairing.addResult(id, i);
            if (outcome.type === "paired") pair(outcome.use, i);
          }
        });
      }),
    );
  });
});
