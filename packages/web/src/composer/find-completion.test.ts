import { describe, expect, it } from "vitest";
import { applyCompletion, findCompletion, matchCommands } from "./find-completion.ts";

const find = (marked: string) => {
  const caret = marked.indexOf("|");
  return findCompletion(marked.replace("|", ""), caret);
};

describe("findCompletion", () => {
  it("completes a file after @, wherever it is typed", () => {
    expect(find("@|")).toEqual({ kind: "file", query: "", from: 0, to: 1 });
    expect(find("look at @src/ap| now")).toEqual({ kind: "file", query: "src/ap", from: 8, to: 15 });
    expect(find("line\n@a|")).toMatchObject({ kind: "file", query: "a" });
  });

  it("completes a command only at the very beginning", () => {
    expect(find("/com|")).toEqual({ kind: "command", query: "com", from: 0, to: 4 });
    expect(find("say /com|")).toBeNull();
    expect(find("/compact now|")).toBeNull();
  });

  it("leaves addresses and finished words alone", () => {
    for (const text of ["mail me@example.org|", "@a b|", "a|", "x@|", "/usr/bin|"]) expect(find(text), text).toBeNull();
  });
});

describe("applyCompletion", () => {
  it("puts a space after a file, but none after a folder or before an existing one", () => {
    const done = (marked: string, chosen: string) => {
      const completion = find(marked);
      if (!completion) throw new Error("nothing to complete");
      const { text, caret } = applyCompletion(marked.replace("|", ""), completion, chosen);
      return `${text.slice(0, caret)}|${text.slice(caret)}`;
    };
    expect(done("see @re|", "README.md")).toBe("see @README.md |");
    expect(done("see @s|", "src/")).toBe("see @src/|");
    expect(done("see @re| now", "README.md")).toBe("see @README.md| now");
    expect(done("/c|", "compact")).toBe("/compact |");
  });
});

describe("matchCommands", () => {
  it("puts those that begin with it first", () => {
    const commands = ["review", "fix:preview", "test"].map((name) => ({ name }));
    expect(matchCommands(commands, "REV").map(({ name }) => name)).toEqual(["review", "fix:preview"]);
    expect(matchCommands(commands, "")).toHaveLength(3);
  });
});
