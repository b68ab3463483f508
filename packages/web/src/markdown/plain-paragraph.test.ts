import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMarkdown } from "./parse-markdown.ts";
import { toPlainParagraph } from "./plain-paragraph.ts";

const paragraph = (value: string) => ({
  type: "root",
  children: [{ type: "element", tagName: "p", properties: {}, children: [{ type: "text", value }] }],
});

test.each([
  "The work is done.",
  "Two lines,\nof one paragraph",
  "It ends with spaces  \n\n",
  "修复登录页面的错误。",
  "a = b + c; 50 % (of it) #1 - yes!",
])("needs no parser: %j", (text) => {
  expect(toPlainParagraph(text)).toBe(text.trimEnd());
  expect(parseMarkdown(text)).toEqual(paragraph(text.trimEnd()));
});

test.each(
  [
    [
      "**bold**",
      "`code`",
      "# Title",
      "- item",
      "1. item",
      "> quote",
      "    code",
      "[a](b)",
      "<b>",
      "a &amp; b",
      "a\\*",
      "~~gone~~",
      "| a |",
    ],
    [
      "see https://example.com",
      "see www.example.com",
      "write to a@example.com",
      "first  \nsecond",
      "Title\n===",
      "Title\n---",
      "a\n- b",
      "",
    ],
  ].flat(),
)("is parsed: %j", (text) => expect(toPlainParagraph(text)).toBeNull());

test("is exactly what the parser makes of it", () => {
  const pieces = [
    ..."abz é字9 .,:;!?#-+=*_~[]()<>`|&\\\"'/@\t\n\r\u00a0\u2028\0",
    "\n\n",
    "  \n",
    "www.",
    "http://",
    "a@b.c",
    "1. ",
    "- ",
    "[^1]",
    "xmpp:",
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(""));
  const mostlyPlain = fc.array(fc.constantFrom("a", "word", " ", ".", "\n", "\n\n", "@", "9", "-", "=", "字", ":", "  "), {
    maxLength: 14,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        texts,
        mostlyPlain.map((parts) => `a${parts.join("")}`),
      ),
      (text) => {
        const found = toPlainParagraph(text);
        if (found !== null) expect(parseMarkdown(text)).toEqual(paragraph(found));
      },
    ),
    { numRuns: 3000 },
  );
});
