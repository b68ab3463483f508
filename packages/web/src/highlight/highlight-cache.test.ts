import { describe, expect, it } from "vitest";
import type { HighlightAnswer } from "./code-token.ts";
import { createHighlightCache } from "./highlight-cache.ts";

const coloured: HighlightAnswer = { lines: [[["let", 2]]] };

/** Returns the answers in order, and counts the requests. */
function answering(...answers: (HighlightAnswer | null)[]) {
  let asked = 0;
  const highlight = createHighlightCache(async () => answers[asked++] ?? null);
  return { highlight, asked: () => asked };
}

describe("createHighlightCache", () => {
  it("works out the same text once, also one that has no colours", async () => {
    const { highlight, asked } = answering(coloured, { lines: null });
    expect([await highlight("let", "typescript"), await highlight("let", "typescript")]).toEqual([coloured.lines, coloured.lines]);
    expect([await highlight("let", "klingon"), await highlight("let", "klingon")]).toEqual([null, null]);
    expect(asked()).toBe(2);
  });

  it("tries once more after a failure: a text on the screen that took too long on a busy machine gets its colours by itself", async () => {
    const { highlight, asked } = answering(null, coloured);
    expect(await highlight("let", "typescript")).toEqual(coloured.lines);
    expect(await highlight("let", "typescript")).toEqual(coloured.lines);
    expect(asked()).toBe(2);
  });

  it("[X19] gives up on a text that fails each time", async () => {
    const { highlight, asked } = answering();
    for (let time = 0; time < 5; time++) expect(await highlight("let", "typescript")).toBeNull();
    expect(asked()).toBe(2);
  });
});
