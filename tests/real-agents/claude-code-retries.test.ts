import { expect, test } from "vitest";
import { openClaudeCodeTask, toSteps } from "../support/claude-code.ts";

test("[N2] an answer that breaks off in the middle of a text and is sent again is shown once", async () => {
  const words = ["One ", "two ", "three ", "four ", "five."];
  const task = await openClaudeCodeTask({
    // the first stream ends in the middle of its text
    script: [{ text: words, chunkDelayMs: 50, cutAfterBytes: 900 }, { text: words }],
  });
  expect(await task.run("go")).toMatchObject({ status: "success" });
  expect(task.model.requests).toHaveLength(2);
  const shown = (await task.conversation()).filter(({ content, messageType }) => content !== "" && messageType === "text");
  expect(toSteps(shown)).toEqual([
    ["user", "go"],
    ["assistant", "One two three four five."],
  ]);
});
