import { growsLinearly } from "@skein/testkit/hostile";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutRevealed } from "./cut-revealed.ts";
import { revealInvisible } from "./reveal-invisible.ts";
import { countHidden, type RevealedPart, revealText } from "./reveal-text.ts";

const sourceOf = (parts: readonly RevealedPart[]) => parts.map(({ source }) => source).join("");
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\n", " ", "\n\n\n\n\n", " ".repeat(50), "\u202e", "\u0301", "a", "😀"),
    fc.string({ unit: "binary", maxLength: 1 }),
  ),
});

describe("revealText", () => {
  it("[X6] 200 newlines do not push a command out of sight", () => {
    expect(revealText(`ls${"\n".repeat(200)}rm -rf ~`)).toEqual([
      { kind: "text", source: "ls\n" },
      { kind: "blank-lines", source: "\n".repeat(199), count: 199 },
      { kind: "text", source: "rm -rf ~" },
    ]);
    expect(revealText(`ls${" ".repeat(300)};rm`)[1]).toMatchObject({ kind: "spaces", count: 300 });
    expect(revealText(`a${"\n \t".repeat(50)}\nb`).map(({ kind }) => kind)).toEqual(["text", "blank-lines", "text"]);
  });

  it.each([
    ["bidi override", "\u202e"],
    ["bidi isolate", "\u2066"],
    ["zero-width space", "\u200b"],
    ["zero-width joiner", "\u200d"],
    ["soft hyphen", "\u00ad"],
    ["tag", "\u{e0041}"],
    ["carriage return", "\r"],
    ["escape", "\u001b"],
    ["no-break space", "\u00a0"],
    ["ideographic space", "\u3000"],
    ["blank braille", "\u2800"],
    ["Hangul filler", "\u3164"],
    ["half-width Hangul filler", "\uffa0"],
    ["line separator", "\u2028"],
    ["byte order mark", "\ufeff"],
    ["lone surrogate", "\ud800"],
    ["variation selector", "\u{e0100}"],
    ["musical null", "\u{1d159}"],
  ])("[X6] names a %s", (_name, character) => {
    const codePoint = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
    expect(revealText(`rm${character}x`)).toEqual([
      { kind: "text", source: "rm" },
      { kind: "hidden", source: character, codePoint, count: 1 },
      { kind: "text", source: "x" },
    ]);
  });

  it("[X6] names combining marks without a letter, or stacked ones; three on a letter occur in real languages", () => {
    expect(countHidden(revealText(`a${"\u0301".repeat(500)}`))).toEqual({ count: 497, codePoints: ["U+0301"] });
    expect(countHidden(revealText(" \u0338ls")).count).toBe(1);
    for (const text of ["Tiếng Việt ế", "שָׁלוֹם", "กำลัง", "क्षत्रिय", "git commit -m 'é 中文 😀'\n\tx"])
      expect(countHidden(revealText(text)).count).toBe(0);
  });

  it("[X6] loses nothing: the parts are the text", () => {
    fc.assert(fc.property(anyText, (text) => sourceOf(revealText(text)) === text));
    fc.assert(
      fc.property(anyText, (text) => {
        const again = revealInvisible(text).map(
          (run) => run.text ?? String.fromCodePoint(Number.parseInt((run.hidden ?? "").slice(2), 16)),
        );
        return again.join("") === text;
      }),
    );
  });

  it("[X19] takes linear time", () => {
    for (const unit of ["\u0301", "\n", " ", "\n ", "\u202e", "a\u0301", "\n\u200b", "\n\t a"]) {
      const work = (size: number) => {
        const limits = { head: { characters: 500, lines: 8 }, tail: { characters: 200, lines: 4 } };
        cutRevealed(revealText(unit.repeat(size)), limits);
      };
      expect(growsLinearly(work, { size: 10_000 }), JSON.stringify(unit)).toBe(true);
    }
  });
});

describe("cutRevealed", () => {
  const limits = { head: { characters: 20, lines: 2 }, tail: { characters: 10, lines: 1 } };

  it("[X6] shows the beginning and the end, and counts the characters in between", () => {
    const { head, tail, hiddenCharacters } = cutRevealed(revealText(`${"a".repeat(30)}${"b".repeat(4000)}; rm -rf ~`), limits);
    expect([sourceOf(head), sourceOf(tail), hiddenCharacters]).toEqual(["a".repeat(20), "; rm -rf ~", 4010]);
    expect(cutRevealed(revealText("ls"), limits)).toEqual({ head: [{ kind: "text", source: "ls" }], tail: [], hiddenCharacters: 0 });
  });

  it("[X6] head, what is between and tail are the whole text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { head, tail, hiddenCharacters } = cutRevealed(revealText(text), limits);
        expect(text.startsWith(sourceOf(head)) && text.endsWith(sourceOf(tail))).toBe(true);
        expect(sourceOf(head).length + hiddenCharacters + sourceOf(tail).length).toBe(text.length);
      }),
    );
  });
});
