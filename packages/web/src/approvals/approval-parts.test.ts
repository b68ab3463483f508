import { describe, expect, it } from "vitest";
import { countHiddenIn, cutRows, toShownText } from "./approval-parts.ts";
import { revealSizes } from "./reveal-size.ts";

const [first] = revealSizes;
const textOf = (parts: readonly { source: string }[]) => parts.map(({ source }) => source).join("");

describe("[X6] what an approval shows", () => {
  it("[X6] the end of a text of any length is shown, and all characters are accounted for", () => {
    for (const length of [10, 5000, 400_000]) {
      const text = `${"x".repeat(length)}; rm -rf ~`;
      const { head, tail, hiddenCharacters } = toShownText(text, first);
      expect(`${textOf(head)}${textOf(tail)}`.endsWith("; rm -rf ~")).toBe(true);
      expect(textOf(head).length + hiddenCharacters + textOf(tail).length).toBe(text.length);
    }
  });

  it("[X6] of many rows the first and the last are shown", () => {
    const rows = Array.from({ length: 1000 }, (_, index) => index);
    const { head, tail, hidden } = cutRows(rows, first);
    expect([head[0], tail.at(-1), head.length + hidden + tail.length]).toEqual([0, 999, 1000]);
    expect(cutRows([1, 2], first)).toEqual({ head: [1, 2], tail: [], hidden: 0 });
  });

  it("[X6] counts what cannot be seen in all fields", () => {
    expect(countHiddenIn(["a\u202e\u202e", "b\u200b", "c"])).toEqual({ count: 3, codePoints: ["U+202E", "U+200B"] });
  });
});
