import { describe, expect, it } from "vitest";
import { createLanguageFinder } from "./export-colours.ts";

const words = { ts: "typescript", tsx: "tsx", "c++": "cpp", c: "c", makefile: "make", ".bashrc": "shellscript", golang: "go", zig: "zig" };
const grammars = { typescript: "aa", tsx: "aa", cpp: "aa", c: "aa", make: "aa", shellscript: "aa", go: "aa" };

function find(values: readonly unknown[], given: Record<string, string> = grammars): string[] {
  const finder = createLanguageFinder({ words, grammars: given });
  for (const value of values) finder.search(JSON.stringify(value));
  return finder.found();
}

describe("the languages that may occur in an export", () => {
  it.each<[unknown, string[]]>([
    [{ filePath: "src/a.ts" }, ["typescript"]],
    [{ filePath: "A.TSX" }, ["tsx"]],
    [{ filePath: "Makefile", other: "/home/x/.bashrc" }, ["make", "shellscript"]],
    [{ content: "```golang\nx\n```\n\n```c++\nx\n```" }, ["cpp", "go"]],
    [{ content: "its contents, a.tsv and x.zig" }, []],
  ])("[I4] %j", (value, languages) => {
    expect(find([value])).toEqual(languages);
  });

  it("[I4] are bounded in size, the first first", () => {
    const large = { ...grammars, tsx: "x".repeat(600_000), typescript: "x".repeat(600_000) };
    expect(find(["a.tsx", "a.ts", "a.c"], large)).toEqual(["c", "tsx"]);
  });

  it("[I4] are none where the build has no grammars", () => {
    const finder = createLanguageFinder({ words: {}, grammars: {} });
    finder.search('"a.ts"');
    expect(finder.found()).toEqual([]);
  });
});
