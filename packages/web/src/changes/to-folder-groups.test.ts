import { describe, expect, it } from "vitest";
import { toFolderGroups } from "./to-folder-groups.ts";

describe("toFolderGroups", () => {
  it("groups by the outermost folder, and puts files in no folder last", () => {
    expect(toFolderGroups(["z.log", "node_modules/", "dist/b.js", "a.log", "dist/a/c.js"])).toEqual([
      { folder: "dist", paths: ["dist/a/c.js", "dist/b.js"] },
      { folder: "node_modules", paths: ["node_modules/"] },
      { folder: "", paths: ["a.log", "z.log"] },
    ]);
  });
});
