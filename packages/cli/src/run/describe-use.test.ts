import { describe, expect, it } from "vitest";
import { describeUse } from "./describe-use.ts";

const describeCommand = (command: string, all = false) => describeUse({ toolName: "bash", input: { command } }, { all });

describe("[X6] an approval on the terminal", () => {
  it("[X6] the end of a long command is always shown, and the number of characters before it", () => {
    const { text, isCut } = describeCommand(`echo ${"x".repeat(5000)}; rm -rf ~`);
    expect(text).toMatch(/^bash echo x+ … <\d+ more characters> … x+; rm -rf ~$/);
    expect(isCut).toBe(true);
    expect(describeCommand(`echo ${"x".repeat(5000)}; rm -rf ~`, true)).toMatchObject({ isCut: false });
  });

  it("[X6] newlines, spaces and invisible characters hide nothing", () => {
    expect(describeCommand(`ls${"\n".repeat(200)}rm -rf ~`).text).toBe("bash ls⏎<199 blank lines>rm -rf ~");
    expect(describeCommand(`ls${" ".repeat(200)}; rm`).text).toBe("bash ls<200 spaces>; rm");
    expect(describeCommand("ls \u202e\u200b\u200b\u00a0x\r\u001b[2K")).toEqual({
      text: "bash ls <U+202E><U+200B × 2><U+00A0>x<U+000D><U+001B>[2K",
      isCut: false,
      hiddenCharacters: 6,
    });
  });

  it("shows the tool's other input", () => {
    expect(describeUse({ toolName: "bash", input: { command: "ls", timeout: 5 } }, { all: false }).text).toBe('bash ls {"timeout":5}');
    expect(describeUse({ toolName: "write", input: { path: "a" } }, { all: false }).text).toBe('write {"path":"a"}');
  });
});
