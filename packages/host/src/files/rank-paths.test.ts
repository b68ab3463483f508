import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankPaths, scorePath } from "./rank-paths.ts";

const paths = [
  "README.md",
  "docs/",
  "docs/readme-for-agents.md",
  "packages/web/src/app/router.tsx",
  "packages/web/src/task/task-page.tsx",
  "packages/server/src/http/route.ts",
  "packages/server/src/http/routes/route-table.ts",
];

describe("rankPaths", () => {
  it("puts a name before a part of a name, and a name before a folder", () => {
    expect(rankPaths(paths, "readme", 3)).toEqual(["README.md", "docs/readme-for-agents.md"]);
    expect(rankPaths(paths, "route", 3)[0]).toBe("packages/server/src/http/route.ts");
    expect(rankPaths(paths, "server/src", 1)).toEqual(["packages/server/src/http/route.ts"]);
  });

  it("finds letters with others in between, whatever their case", () => {
    expect(rankPaths(paths, "TskPg", 2)).toEqual(["packages/web/src/task/task-page.tsx"]);
    expect(rankPaths(paths, "zzz", 2)).toEqual([]);
  });

  it("lists what is nearest to the root while nothing is typed", () => {
    expect(rankPaths(paths, "", 1)).toEqual(["README.md"]);
  });

  it("fits exactly the paths that hold the letters in order", () => {
    const holds = (path: string, typed: string) => {
      let rest = path.toLowerCase();
      for (const letter of typed.toLowerCase()) {
        const place = rest.indexOf(letter);
        if (place === -1) return false;
        rest = rest.slice(place + 1);
      }
      return true;
    };
    const text = fc.string({ unit: fc.constantFrom("a", "B", "/", ".", "c"), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (path, typed) => {
        expect(scorePath(path, typed.toLowerCase()) > 0).toBe(holds(path, typed));
      }),
    );
  });
});
