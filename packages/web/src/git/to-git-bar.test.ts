import type { GitState } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { findObstacle, toGitBar, toSideOwners } from "./to-git-bar.ts";

const [one, two] = ["1".repeat(40), "2".repeat(40)];
const landing: GitState["landing"] = { method: "squash", branch: "main", commit: two, previous: one, head: one, landedAt: 5 };
const state = (changes: Partial<GitState> = {}): GitState => ({
  ...{ branch: "skein/work", head: one, base: { branch: "main", tip: two, commit: one }, ahead: 0, behind: 0 },
  ...{ dirty: { files: 0, paths: [] }, conflict: null, landing: null, safetyRefs: [], remote: null, pullRequest: null, obstacles: {} },
  ...changes,
});
const dirty = { files: 3, paths: ["a", "b", "c"] };
const conflict = (...isResolved: boolean[]): GitState["conflict"] => ({
  ...{ method: "rebase", onto: two, baseBranch: "main", applying: null, startedAt: 1 },
  files: isResolved.map((resolved, index) => ({ path: `f${index}`, kind: "both-changed", binary: false, isResolved: resolved })),
});

describe("the git bar", () => {
  it.each<[string, Partial<GitState>, { facts: unknown; primary: unknown }]>([
    ["nothing was done", {}, { facts: [{ kind: "clean" }], primary: null }],
    [
      "files are uncommitted",
      { dirty, ahead: 2, behind: 1 },
      {
        facts: [
          { kind: "ahead", count: 2 },
          { kind: "behind", count: 1 },
          { kind: "uncommitted", count: 3 },
        ],
        primary: "commit",
      },
    ],
    ["all is committed", { ahead: 2 }, { facts: [{ kind: "ahead", count: 2 }], primary: "land" }],
    [
      "an agent works",
      { dirty, obstacles: { commit: { text: { code: "agent-working" } } } },
      { facts: [{ kind: "uncommitted", count: 3 }], primary: null },
    ],
    [
      "some of the conflicts are resolved",
      { dirty, conflict: conflict(true, false) },
      { facts: [{ kind: "conflict", open: 1, total: 2 }], primary: "resolve" },
    ],
    ["everything has been landed", { ahead: 0, behind: 0, landing }, { facts: [{ kind: "landed", branch: "main" }], primary: null }],
    [
      "there is a commit after a landing",
      { ahead: 1, behind: 0, landing },
      {
        facts: [
          { kind: "landed", branch: "main" },
          { kind: "ahead", count: 1 },
        ],
        primary: "land",
      },
    ],
    [
      "there is new work after a landing",
      { dirty, landing },
      {
        facts: [
          { kind: "landed", branch: "main" },
          { kind: "uncommitted", count: 3 },
        ],
        primary: "commit",
      },
    ],
    [
      "the base branch is gone",
      { ahead: null, behind: null, base: { branch: "main", tip: null, commit: one } },
      { facts: [{ kind: "base-gone" }], primary: null },
    ],
  ])("[G2, G4, G5] when %s", (_when, changes, { facts, primary }) => {
    expect(toGitBar(state(changes), "worktree")).toMatchObject({ branches: { own: "skein/work", base: "main" }, facts, primary });
  });

  it("has each other action once, with the reason why it cannot be done", () => {
    const obstacle = { text: { code: "no-remote" }, command: "git remote add origin <address>" } as const;
    const { others } = toGitBar(state({ ahead: 1, obstacles: { push: obstacle } }), "worktree");
    expect(others).toEqual([
      { action: "commit" },
      { action: "update" },
      { action: "merge" },
      { action: "push", obstacle },
      { action: "pull-request", obstacle },
    ]);
  });

  it("[G4] offers both ways to update in the menu, also when the button updates", () => {
    const { primary, others } = toGitBar(state({ ahead: 1, behind: 1 }), "worktree");
    expect([primary, ...others.map(({ action }) => action)]).toEqual([
      "update",
      "commit",
      "update",
      "merge",
      "land",
      "push",
      "pull-request",
    ]);
  });

  it("[G5] offers to undo a landing until the base branch moves, and the safety copies that there are", () => {
    const safetyRefs = [{ ref: "refs/skein/safety/att_1/1", commit: one, before: "update" as const, createdAt: 1 }];
    const actions = (tip: string) =>
      toGitBar(state({ landing, safetyRefs, base: { branch: "main", tip, commit: one } }), "worktree").others.slice(-2);
    expect(actions(two)).toEqual([{ action: "undo-land" }, { action: "safety-copies" }]);
    expect(actions(one)[0]).toEqual({ action: "undo-land", obstacle: { text: { code: "base-moved", branch: "main" } } });
  });

  it("in place has only the commit: the branch is the user's own", () => {
    const inPlace = toGitBar(state({ dirty, ahead: 4, behind: 2 }), "in-place");
    expect(inPlace).toEqual({ branches: null, facts: [{ kind: "uncommitted", count: 3 }], primary: "commit", others: [] });
    expect(toGitBar(state({ ahead: 4 }), "in-place")).toMatchObject({ facts: [{ kind: "clean" }], primary: null });
  });
});

it("what was asked for elsewhere has the obstacle of its state; in place, everything but a commit has one", () => {
  const [push, update] = [{ text: { code: "no-remote" } } as const, { text: { code: "uncommitted", files: 1 } } as const];
  const of = state({ obstacles: { push, update } });
  expect([findObstacle(of, "worktree", "push"), findObstacle(of, "worktree", "land")]).toEqual([push, undefined]);
  expect([findObstacle(of, "worktree", "update"), findObstacle(of, "worktree", "merge")]).toEqual([update, update]);
  expect([findObstacle(state(), "in-place", "push"), findObstacle(state(), "in-place", "commit")]).toEqual([
    { text: { code: "in-place" } },
    undefined,
  ]);
});

it("[G4] ours is the base branch in a rebase, and the attempt in a merge", () => {
  expect([toSideOwners("rebase"), toSideOwners("merge")]).toEqual([
    { ours: "base", theirs: "attempt" },
    { ours: "attempt", theirs: "base" },
  ]);
});
