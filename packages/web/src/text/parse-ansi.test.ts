import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAnsi, stripAnsi } from "./parse-ansi.ts";

const esc = "\u001b";

describe("parseAnsi", () => {
  it("reads the sixteen colours, weights and resets", () => {
    expect(parseAnsi(`a${esc}[1;31mb${esc}[22mc${esc}[0md${esc}[94me`)).toEqual([
      { text: "a" },
      { text: "b", bold: true, color: 1 },
      { text: "c", color: 1 },
      { text: "d" },
      { text: "e", color: 12 },
    ]);
  });

  it("reads 256 and true colours, in both spellings, and continues after a broken one", () => {
    expect(parseAnsi(`${esc}[38;5;196mx`)).toEqual([{ text: "x", color: "#ff0000" }]);
    expect(parseAnsi(`${esc}[38;2;1;2;255mx`)).toEqual([{ text: "x", color: "#0102ff" }]);
    expect(parseAnsi(`${esc}[48:5:244mx`)).toEqual([{ text: "x", background: "#808080" }]);
    expect(parseAnsi(`${esc}[38;5;999;1mx`)).toEqual([{ text: "x", bold: true }]);
  });

  it("[X6] strips titles, links, cursor movement, queries, device strings and bells", () => {
    const hostile = [
      `${esc}]0;evil title\u0007`,
      `${esc}]8;;https://evil.example${esc}\\click${esc}]8;;${esc}\\`,
      `${esc}[2J${esc}[H${esc}[?1049h${esc}[6n`,
      `${esc}P+q544e${esc}\\`,
      `${esc}_payload${esc}\\`,
      `${esc}(0${esc}c${esc}7`,
      "\u009b31mC1\u009b0m\u009d0;t\u009c",
      "\u0007\u0008\u0000",
    ];
    expect(hostile.map(stripAnsi)).toEqual(["", "click", "", "", "", "", "C1", ""]);
  });

  it("[X6] an unfinished sequence at the end never shows its bytes", () => {
    expect([`a${esc}`, `a${esc}[`, `a${esc}[3`, `a${esc}]0;title`].map(stripAnsi)).toEqual(["a", "a", "a", "a"]);
  });

  it("shows a rewritten line as it was written last", () => {
    expect(stripAnsi("10%\r50%\r100%\ndone\r\nnext\r")).toBe("100%\ndone\nnext");
  });

  it("keeps tabs, newlines, emoji and right-to-left text", () => {
    expect(stripAnsi("a\tb\n👩‍💻 שלום")).toBe("a\tb\n👩‍💻 שלום");
  });

  it("[X6] whatever comes in, no control character comes out", () => {
    const noise = fc.string({
      unit: fc.constantFrom(esc, "[", "]", "m", ";", "3", "1", "\u0007", "\u009b", "\r", "a", "?", "P", "\\", "\n"),
    });
    fc.assert(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come out
      fc.property(noise, (text) => !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(stripAnsi(text))),
      { numRuns: 2000 },
    );
  });

  it("text without escapes comes out as it is", () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom("a", "\n", "\t", "é", "😀") }), (text) => stripAnsi(text) === text));
  });
});
