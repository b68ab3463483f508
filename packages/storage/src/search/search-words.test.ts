import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasPhrase, listIndexEntries, listQueryWords, listTextWords, toQueryEntries } from "./search-words.ts";

const entries = (text: string, endsOpen = false) =>
  toQueryEntries(listQueryWords(text), { endsOpen }).map(({ text: entry, isPrefix }) => `${entry}${isPrefix ? "*" : ""}`);

describe("index words", () => {
  it("are lower case, without accents and punctuation, with the parts of identifiers", () => {
    expect(listTextWords("Déjà-vu: getUserById()")).toEqual(["deja", "vu", "getuserbyid", "userbyid", "byid", "id"]);
  });

  it("of scripts without spaces are single characters and pairs, across punctuation", () => {
    expect(listIndexEntries("灯塔，x的")).toEqual(["灯", "塔", "灯塔", "x", "的"]);
    expect(entries("灯")).toEqual(["灯"]);
    expect(entries("灯塔的")).toEqual(["灯塔", "塔的"]);
    expect(entries("x灯塔y", true)).toEqual(["x", "灯塔", "y*"]);
  });

  it("every text has the entries of each of its phrases", () => {
    const texts = fc.array(fc.constantFrom("灯", "塔", "by", "id", "É", " ", "_", "getName", "9"), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (parts, from, count) => {
        const words = listTextWords(parts.join(""));
        const phrase = words.slice(from % (words.length + 1)).slice(0, count % 5);
        expect(hasPhrase(words, phrase, { endsOpen: false })).toBe(phrase.length === 0 ? words.length > 0 : true);
        const stored = listIndexEntries(parts.join(""));
        for (const { text } of toQueryEntries(phrase, { endsOpen: false })) expect(stored).toContain(text);
      }),
    );
  });

  it("[Q13] of a huge text fit into a row", () => {
    const text = Array.from({ length: 100_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((Math.imul(index, 0x9e3779b1) >>> 8) % 20_000)),
    ).join("");
    const bytes = listIndexEntries(text).reduce((sum, entry) => sum + Buffer.byteLength(entry), 0);
    expect(bytes).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThan(1_000_000);
  });
});

it("a phrase is found where its words are adjacent, the last one also as a beginning", () => {
  const words = listTextWords("src/user_by_id/find.ts");
  expect(hasPhrase(words, ["by", "id"], { endsOpen: false })).toBe(true);
  expect(hasPhrase(words, ["user", "id"], { endsOpen: false })).toBe(false);
  expect(hasPhrase(words, ["id", "fin"], { endsOpen: true })).toBe(true);
  expect(hasPhrase(words, ["id", "fin"], { endsOpen: false })).toBe(false);
});
