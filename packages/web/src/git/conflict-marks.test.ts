import { describe, expect, it } from "vitest";
import { findMarkedConflicts, resolveMarked } from "./conflict-marks.ts";

const marked =
  "one\n<<<<<<< main\nours\n=======\ntheirs\nmore\n>>>>>>> attempt\ntwo\n<<<<<<< main\n||||||| base\nold\n=======\nnew\n>>>>>>> x";

describe("[G4] conflicts that are marked in a text", () => {
  it("are found with both sides, with the base or without", () => {
    const found = findMarkedConflicts(marked);
    expect(found.map(({ ours, theirs }) => [ours, theirs])).toEqual([
      ["ours\n", "theirs\nmore\n"],
      ["", "new\n"],
    ]);
    expect(found.map(({ start, end }) => marked.slice(start, end).split("\n")[0])).toEqual(["<<<<<<< main", "<<<<<<< main"]);
    expect(found[1]?.end).toBe(marked.length);
  });

  it.each([
    ["ours", "one\nours\ntwo\n"],
    ["theirs", "one\ntheirs\nmore\ntwo\n"],
    ["both", "one\nours\ntheirs\nmore\ntwo\n"],
  ] as const)("one of them is replaced by %s, and the others stay", (take, expected) => {
    const [first] = findMarkedConflicts(marked);
    if (first === undefined) throw new Error("no conflict");
    const text = resolveMarked(marked, first, take);
    expect(text.startsWith(expected)).toBe(true);
    expect(findMarkedConflicts(text)).toHaveLength(1);
  });

  it("are not headings, rules or marks without an end", () => {
    for (const text of [
      "Title\n=======\n",
      "<<<<<<< a\nx\n",
      "<<<<<<< a\nx\n=======\ny\n",
      "a <<<<<<< b\n=======\n>>>>>>> c\n",
      "<<<<<<<<\n=======\n>>>>>>>\n",
    ])
      expect(findMarkedConflicts(text)).toEqual([]);
  });
});
