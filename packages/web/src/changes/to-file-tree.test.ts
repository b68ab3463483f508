import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChangedFile, filesInOrder, type TreeNode, toFileTree } from "./to-file-tree.ts";

const file = (filePath: string, additions = 1, deletions = 0): ChangedFile => ({
  filePath,
  additions,
  deletions,
  binary: false,
  hunks: [],
});
const shape = (nodes: TreeNode[]): unknown[] =>
  nodes.map((node) => (node.kind === "file" ? node.name : [node.name, node.additions, node.deletions, shape(node.children)]));

describe("toFileTree", () => {
  it("puts folders first, joins folders that hold only another one, and adds up their lines", () => {
    const files = [file("z.md"), file("src/app/b.ts", 3, 1), file("src/app/a.ts", 2, 2), file("docs/en/intro.md"), file("src/x.ts")];
    expect(shape(toFileTree(files))).toEqual([
      ["docs/en", 1, 0, ["intro.md"]],
      ["src", 6, 3, [["app", 5, 3, ["a.ts", "b.ts"]], "x.ts"]],
      "z.md",
    ]);
  });

  it("holds every file once", () => {
    const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 }).map((names) => `${names.join("/")}.ts`);
    fc.assert(
      fc.property(fc.uniqueArray(path), (paths) => {
        expect(
          filesInOrder(toFileTree(paths.map((one) => file(one))))
            .map(({ filePath }) => filePath)
            .sort(),
        ).toEqual([...paths].sort());
      }),
    );
  });
});
