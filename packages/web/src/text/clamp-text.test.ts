import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clampText } from "./clamp-text.ts";

const lines = (count: number) => Array.from({ length: count }, (_, i) => String(i));

describe("clampText", () => {
  it("leaves a short text whole, also when hiding would save almost nothing", () => {
    const text = lines(18).join("\n");
    expect(clampText(text, { headLines: 10, tailLines: 5 })).toEqual({ head: text, tail: "", hiddenLines: 0 });
  });

  it("keeps beginning and end and counts what lies between", () => {
    expect(clampText(lines(100).join("\n"), { headLines: 2, tailLines: 2 })).toEqual({ head: "0\n1", tail: "98\n99", hiddenLines: 96 });
  });

  it("[Q17] cuts an endless line without splitting a character", () => {
    fc.assert(
      fc.property(fc.nat(3), (offset) => {
        const { head, hiddenLines } = clampText(`${"a".repeat(offset)}${"😀".repeat(5000)}`, { headLines: 1, tailLines: 1 });
        return head.isWellFormed() && head.length <= 4001 && hiddenLines === 1;
      }),
    );
  });
});
