import { describe, expect, test } from "vitest";
import { toTaskPrompt } from "./task-prompt.ts";
import { toTaskTitle } from "./task-title.ts";

describe("the prompt of a task", () => {
  test("is the title if there is nothing else", () => {
    expect(toTaskPrompt({ title: "Fix the build", description: " \n" })).toBe("Fix the build");
  });
  test("is title and description if there are both", () => {
    expect(toTaskPrompt({ title: "Fix the build", description: "It fails on Windows." })).toBe("Fix the build\n\nIt fails on Windows.");
  });
  test("does not repeat a title that was taken from it, whole or cut", () => {
    const short = "Fix the build\n\nIt fails on Windows.";
    expect(toTaskPrompt({ title: toTaskTitle(short), description: short })).toBe(short);
    const long = `Fix the build ${"on every platform ".repeat(20)}\nand explain why.`;
    expect(toTaskTitle(long)).toMatch(/…$/);
    expect(toTaskPrompt({ title: toTaskTitle(long), description: long })).toBe(long);
  });
});
