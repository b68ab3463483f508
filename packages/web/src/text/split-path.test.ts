import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitPath } from "./split-path.ts";

describe("splitPath", () => {
  it("keeps the name of a file together", () => {
    expect(splitPath("packages/web/src/app.tsx")).toEqual(["packages/web/src", "", "/app.tsx"]);
    expect(splitPath("Updated src/app.tsx")).toEqual(["Updated src", "", "/app.tsx"]);
    expect(splitPath("/home/user/code/atlas/")).toEqual(["/home/user/code", "", "/atlas/"]);
    expect(splitPath("README.md")).toEqual(["", "", "README.md"]);
  });

  it("keeps the end of a name that is too long itself", () => {
    const name = `${"n".repeat(80)}.spec.ts`;
    expect(splitPath(`src/${name}`)).toEqual(["src", `/${name.slice(0, -16)}`, name.slice(-16)]);
    expect(splitPath(name)).toEqual(["", name.slice(0, -16), name.slice(-16)]);
  });

  it("loses nothing and cuts no character in two", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 120 }), (text) => {
        const parts = splitPath(text);
        expect(parts.join("")).toBe(text);
        if (text.isWellFormed()) expect(parts.map((part) => part.isWellFormed())).toEqual([true, true, true]);
      }),
    );
  });
});
