import { buildAttempt } from "@skein/testkit";
import { describe, expect, it } from "vitest";
import { describeWork } from "./work-text.ts";

const attempt = buildAttempt({ branch: "skein/x", directory: "/data/worktrees/x" });
const stat = (files: number, uncommitted: number) => ({ files, additions: 1, deletions: 0, uncommitted });

describe("describeWork", () => {
  it("describes the changes, and how to see them", () => {
    expect(describeWork(attempt, stat(2, 2), "att_1")).toBe(
      "Uncommitted changes in the worktree /data/worktrees/x: 2 files.\nSee them: skein diff att_1",
    );
    expect(describeWork(attempt, stat(1, 0), "att_1")).toBe("Committed on branch skein/x: 1 file changed.\nSee them: skein diff att_1");
    expect(describeWork({ ...attempt, branch: null, directory: "/repo" }, stat(1, 1), "att_1")).toBe(
      "Uncommitted changes in /repo: 1 file.\nSee them: skein diff att_1",
    );
  });

  it("is empty when nothing changed", () => {
    expect(describeWork(attempt, stat(0, 0), "att_1")).toBeUndefined();
  });
});
