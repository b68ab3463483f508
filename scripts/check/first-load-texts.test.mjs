import { expect, it } from "vitest";
import { explainFirstLoad } from "./first-load-texts.mjs";

const dictionary = {
  app: { save: "Save" },
  board: { empty: "Nothing", since: { idle: "a", "in-review": "b" } },
  status: { todo: "To do" },
};
const explain = (files) => explainFirstLoad({ dictionary, files: new Map(Object.entries(files)) });

it("the first load has the texts that it shows, and words of any page", () => {
  expect(explain({ "i18n/en.ts": "", "board/a.tsx": "text.board.empty; text.board.since[state]; const { todo } = text.status;" })).toEqual(
    [],
  );
});

it("a text that only other pages show, and the texts of a feature, are reported", () => {
  const problems = explain({
    "i18n/en.ts": "",
    "i18n/en-team.ts": "",
    "board/a.tsx": "text.board.since[state]; text.status[name]; isEmpty",
  });
  expect(problems).toEqual([
    "i18n/en-team.ts is part of the first load: import it from a lazy part, with createTexts.",
    "board.empty in i18n/en.ts is not used by the first load: move it to the texts of the page that shows it.",
  ]);
});
