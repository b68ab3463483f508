import { buildHostileTexts, growsLinearly } from "@skein/testkit/hostile";
import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "./html-to-markdown.ts";

const tags = [
  "div",
  "b",
  "a href=x",
  "ul><li",
  "table><tr><td",
  "pre",
  "code",
  "h1",
  "p",
  "main",
  "title",
  "script",
  "svg",
  "!--",
  "br",
  "img alt=x",
  "q",
];
const pages: [string, (count: number) => string][] = [
  ...tags.map((tag): [string, (count: number) => string] => [`open <${tag}>`, (count) => `<${tag}>x`.repeat(count)]),
  ["closing tags", (count) => "</div></p></a>".repeat(count)],
  ["attributes", (count) => `<div ${"a=b ".repeat(count)}>`],
  ["an open attribute", (count) => `<div a="${"x".repeat(count * 10)}`],
  ["open tags", (count) => "<".repeat(count)],
  ["entities", (count) => "&amp".repeat(count)],
  ["code in links", (count) => "<a href=x><code>y</code></a>".repeat(count)],
  ["links", (count) => '<a href="x">y</a> '.repeat(count)],
  ["white space in a link", (count) => `<a href=x><pre>y${" ".repeat(count * 10)}y</pre></a>`],
  ["white space", (count) => " \n\u00a0".repeat(count * 4)],
];

describe("[X19] hostile pages", () => {
  it.each(pages)("[X19] %s take linear time", (_name, build) => {
    const built = new Map([4000, 32_000].map((count) => [count, build(count)]));
    expect(growsLinearly((count) => void htmlToMarkdown(built.get(count) ?? "", "https://example.com/"), { size: 4000 })).toBe(true);
  });

  it("[X19] texts that stop other parsers take linear time", () => {
    const sizes = new Map([0.125, 1].map((size) => [size, buildHostileTexts(size)]));
    for (const [index, { name }] of buildHostileTexts(0.001).entries()) {
      const work = (size: number) => void htmlToMarkdown(`<main>${sizes.get(size)?.[index]?.text}</main>`, "https://example.com/");
      expect(growsLinearly(work, { size: 0.125 }), name).toBe(true);
    }
  });
});
