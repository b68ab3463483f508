import fc from "fast-check";
import { expect, test } from "vitest";
import { splitIntoChunks } from "./split-into-chunks.ts";

test("[Q17] chunks joined are the text, and none ends inside a surrogate pair", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[ a你😀\n]{0,60}$/u)), (text) => {
      const chunks = splitIntoChunks(text);
      expect(chunks.join("")).toBe(text);
      for (const chunk of chunks) expect(chunk.isWellFormed()).toBe(true);
    }),
  );
});
