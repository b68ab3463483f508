import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitMarkdownBlocks } from "./split-markdown-blocks.ts";

describe("splitMarkdownBlocks", () => {
  it("cuts between paragraphs, headings and fences", () => {
    expect(splitMarkdownBlocks("# A\n\ntext\nmore\n\n```ts\na\n\nb\n```\n\nend")).toEqual([
      "# A\n\n",
      "text\nmore\n\n",
      "```ts\na\n\nb\n```\n\n",
      "end",
    ]);
  });

  it("does not cut a list, a quote, a table or an indented block from what it continues", () => {
    for (const text of ["1. a\n\n2. b\n\n   more\n", "> a\n\n> b", "- a\n\n- b"]) expect(splitMarkdownBlocks(text)).toEqual([text]);
  });

  it("a fence that is still open takes everything that follows", () => {
    expect(splitMarkdownBlocks("a\n\n````md\n```\n\nb\n\nc")).toEqual(["a\n\n", "````md\n```\n\nb\n\nc"]);
  });

  it("keeps a text whole that has link definitions", () => {
    expect(splitMarkdownBlocks("see [a]\n\nb\n\n[a]: https://x.example")).toHaveLength(1);
  });

  it("joined, the blocks are the text; and all but the last stay as more text comes", () => {
    const markdown = fc.string({ unit: fc.constantFrom("a", "\n", "\n\n", "```\n", "- ", "# ", "> ", "  ", "~~~", "1. "), maxLength: 40 });
    fc.assert(
      fc.property(markdown, (text) => splitMarkdownBlocks(text).join("") === text),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(markdown, markdown, (text, more) => {
        const before = splitMarkdownBlocks(text).slice(0, -1);
        expect(splitMarkdownBlocks(text + more).slice(0, before.length)).toEqual(before);
      }),
      { numRuns: 1000 },
    );
  });
});
