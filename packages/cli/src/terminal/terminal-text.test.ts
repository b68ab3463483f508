import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toRevealedLine, toTerminalText } from "./terminal-text.ts";

describe("[X6] text of an agent on a terminal", () => {
  it("[X6] escape sequences lose their escape character and are shown", () => {
    expect(toTerminalText("a\u001b]52;c;ZXZpbA==\u0007b\u009b2J")).toBe("a␛]52;c;ZXZpbA==␇b\uFFFD2J");
  });

  it("keeps line feeds, tabs, emoji and every other script", () => {
    expect(toTerminalText("a\n\tb 🧵 中文")).toBe("a\n\tb 🧵 中文");
  });

  it("[X6] text that grows stays a prefix of itself, so only the new part is written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, more) => {
        expect(toTerminalText(text + more).startsWith(toTerminalText(text))).toBe(true);
      }),
    );
  });

  it("[X6] an approval reveals bidi and zero-width characters", () => {
    expect(toRevealedLine("rm \u202Etxt.\u200Bx\nnext")).toBe("rm <U+202E>txt.<U+200B>x⏎next");
  });
});
