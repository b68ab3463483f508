import { expect, test } from "vitest";
import { emptyTaskDraft, toNewDescription, toNewTitle } from "./new-task-draft.ts";

test("the title is what was written, else the beginning of the text, else a name for a task without words", () => {
  expect(toNewTitle({ ...emptyTaskDraft, title: " Mine ", text: "Fix it" }, "Untitled")).toBe("Mine");
  expect(toNewTitle({ ...emptyTaskDraft, text: "Fix it\n\nIt is broken." }, "Untitled")).toBe("Fix it");
  expect(toNewTitle(emptyTaskDraft, "Untitled")).toBe("Untitled");
});

test("a text that is its own title is not repeated as a description", () => {
  expect(toNewDescription({ ...emptyTaskDraft, text: "Fix it\n" }, "Fix it")).toBe("");
  expect(toNewDescription({ ...emptyTaskDraft, text: "Fix it, now" }, "Fix it")).toBe("Fix it, now");
});
