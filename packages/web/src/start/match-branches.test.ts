import { describe, expect, it } from "vitest";
import { matchBranches } from "./match-branches.ts";

const branches = ["feature/main-menu", "main", "origin/main", "release"];

describe("matchBranches", () => {
  it("lists all of them in their order while nothing is typed", () => {
    expect(matchBranches(branches, " ", 3).map(({ name }) => name)).toEqual(["feature/main-menu", "main", "origin/main"]);
  });
  it("puts those first that begin with it, and nothing else after an exact name", () => {
    expect(matchBranches(branches, "Main", 9).map(({ name }) => name)).toEqual(["main", "feature/main-menu", "origin/main", "Main"]);
    expect(matchBranches(branches, "main", 9).map(({ name }) => name)).toEqual(["main", "feature/main-menu", "origin/main"]);
  });
  it("offers a commit or a tag as it was typed", () => {
    expect(matchBranches(branches, "4f5092c", 9)).toEqual([{ name: "4f5092c", isListed: false }]);
  });
});
