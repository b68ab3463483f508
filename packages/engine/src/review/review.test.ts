import type { GitState, ReviewComment, StoredComment } from "@skein/contracts";
import { attemptIdSchema, commentIdSchema, taskIdSchema } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatReview } from "./format-review.ts";
import { locateComment, quoteLines, type ReviewedFile } from "./locate-comment.ts";
import { chooseGitStep } from "./next-git-step.ts";

function comment(overrides: Partial<ReviewComment> = {}): ReviewComment {
  return {
    ...{ id: commentIdSchema.parse("cmt_1"), taskId: taskIdSchema.parse("tsk_1"), attemptId: attemptIdSchema.parse("att_1") },
    ...{ path: "a.ts", side: "new", startLine: 2, endLine: 3, quote: "b\nc", body: "Why?", state: "draft", executionId: null },
    ...{ createdAt: 1, updatedAt: 1, isOutdated: false },
    ...overrides,
  };
}
const locate = (text: string | null, overrides: Partial<StoredComment> = {}) =>
  locateIn(text === null ? null : { text, isCut: false }, overrides);
const locateIn = (file: ReviewedFile | null, overrides: Partial<StoredComment> = {}) => {
  const { startLine, endLine, isOutdated } = locateComment(comment(overrides), file);
  return { startLine, endLine, isOutdated };
};

describe("a comment follows its lines", () => {
  it.each([
    ["a\nb\nc\nd\n", { startLine: 2, endLine: 3, isOutdated: false }],
    ["new\nnew\na\nb\nc\nd\n", { startLine: 4, endLine: 5, isOutdated: false }],
    ["b\nc", { startLine: 1, endLine: 2, isOutdated: false }],
    ["a\r\nb\r\nc\r\n", { startLine: 2, endLine: 3, isOutdated: false }],
    ["a\nb\nx\nd\n", { startLine: 2, endLine: 3, isOutdated: true }],
    ["", { startLine: 2, endLine: 3, isOutdated: true }],
    [null, { startLine: 2, endLine: 3, isOutdated: true }],
  ])("[G1] in %j", (text, expected) => {
    expect(locate(text)).toEqual(expected);
  });

  it("[G1] of equal lines, the nearest ones are chosen", () => {
    expect(locate("b\nc\nx\nx\nx\nb\nc\n", { startLine: 5, endLine: 6 }).startLine).toBe(6);
    expect(locate("b\nc\nx\nx\nx\nx\nx\nb\nc\n", { startLine: 3, endLine: 4 }).startLine).toBe(1);
  });

  it("[G1] a comment on a file is outdated when the file is gone, one on the attempt never", () => {
    expect(locate("x", { startLine: null, endLine: null }).isOutdated).toBe(false);
    expect(locate(null, { startLine: null, endLine: null }).isOutdated).toBe(true);
    expect(locate(null, { path: null, startLine: null, endLine: null }).isOutdated).toBe(false);
  });

  it("[G1] a comment on a binary file is not outdated; one on lines of a file that became binary is", () => {
    const binary = { text: null, isCut: false };
    expect(locateIn(binary, { startLine: null, endLine: null, quote: "" }).isOutdated).toBe(false);
    expect(locateIn(binary).isOutdated).toBe(true);
  });

  it("[G1] lines beyond the part of a file that was read are where they were", () => {
    expect(locateIn({ text: "a\n", isCut: true })).toEqual({ startLine: 2, endLine: 3, isOutdated: false });
  });

  it("[G1] whatever is inserted or removed around it, a line that is there once is found", () => {
    const line = fc.string({ maxLength: 5 }).map((text) => text.replace(/[\r\n]/g, ""));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), fc.nat(60), (before, after, was) => {
        const text = [...before, "the one line", ...after].join("\n");
        const found = locate(text, { quote: "the one line", startLine: was + 1, endLine: was + 1 });
        expect(found).toEqual({ startLine: before.length + 1, endLine: before.length + 1, isOutdated: false });
      }),
    );
  });

  it("[G1] quotes are the lines themselves", () => {
    expect(quoteLines("a\nb\nc\n", 2, 3)).toBe("b\nc");
    expect(quoteLines("a\nb", 3, 3)).toBeUndefined();
  });
});

describe("a review is one message", () => {
  it("[G1] with path, lines, quote and comment, in the order of the files", () => {
    const text = formatReview([
      comment({ path: "b.ts", startLine: null, endLine: null, quote: "", body: "Split this file." }),
      comment(),
      comment({ path: null, startLine: null, endLine: null, quote: "", body: "Add tests." }),
      comment({ side: "old", startLine: 1, endLine: 1, quote: "a", body: "Keep it.", isOutdated: true }),
    ]);
    expect(text).toBe(
      [
        "Please address these review comments.",
        "Add tests.",
        "`a.ts`, line 1 (before the change, changed since)\n```\na\n```\nKeep it.",
        "`a.ts`, lines 2–3\n```\nb\nc\n```\nWhy?",
        "`b.ts`\nSplit this file.",
      ].join("\n\n"),
    );
  });

  it("[G1] a quote with a fence stays inside its own, a long one is cut", () => {
    expect(formatReview([comment({ quote: "```js\nx\n```" })], "Look:")).toContain("````\n```js\nx\n```\n````");
    const long = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
    expect(formatReview([comment({ quote: long })]).split("\n")).toHaveLength(2 + 1 + 15 + 1);
  });
});

describe("one primary action", () => {
  const commit = "a".repeat(40);
  const state: GitState = {
    ...{ branch: "skein/x-1", head: commit, base: { branch: "main", tip: commit, commit }, ahead: 1, behind: 0 },
    ...{ dirty: { files: 0, paths: [] }, conflict: null, landing: null, safetyRefs: [], remote: null },
    pullRequest: null,
    obstacles: {},
  };
  const conflict: GitState["conflict"] = { method: "merge", onto: commit, baseBranch: "main", applying: null, files: [], startedAt: 1 };
  it.each<[string, Partial<GitState>, string]>([
    ["a conflict", { conflict }, "resolve"],
    ["uncommitted files", { dirty: { files: 1, paths: ["a"] } }, "commit"],
    [
      "uncommitted files of a running agent",
      { dirty: { files: 1, paths: ["a"] }, obstacles: { commit: { text: { code: "agent-working" } } } },
      "none",
    ],
    ["commits behind", { behind: 2 }, "update"],
    ["commits ahead", {}, "land"],
    ["nothing", { ahead: 0 }, "none"],
    ["a base that cannot be landed on", { obstacles: { land: { text: { code: "base-gone", base: "main" } } } }, "push"],
  ])("[G4, G5] with %s", (_what, overrides, step) => {
    expect(chooseGitStep({ ...state, ...overrides })).toBe(step);
  });
});
