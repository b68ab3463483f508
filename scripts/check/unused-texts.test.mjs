import { expect, it } from "vitest";
import { explainUnused } from "./unused-texts.mjs";

const dictionary = {
  title: "Title",
  gone: "Gone",
  states: { open: "Open", closed: "Closed" },
  kinds: { a: "A", b: "B" },
  old: { text: "Text" },
};
const explain = (...code) => explainUnused({ file: "i18n/en-x.ts", dictionary, code });

it("a text is used by its name, or with its section", () => {
  const problems = explain("words.title; words.gone; words.states[state]", "const { old } = words; describe(words.kinds, kind); old.text");
  expect(problems).toEqual([]);
});

it("texts that no code shows are reported", () => {
  expect(explain("words.title; isGone; words.states.open; describe(words.kinds)")).toEqual([
    "gone in i18n/en-x.ts is not used: delete it, in every language.",
    "states.closed in i18n/en-x.ts is not used: delete it, in every language.",
    "old.text in i18n/en-x.ts is not used: delete it, in every language.",
  ]);
});
