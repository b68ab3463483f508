import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { gitObstacleShapes } from "./coded-texts/git-text.ts";
import { toTextSchema } from "./coded-texts/text-shapes.ts";
import { hooksRunSchema } from "./hooks-run.ts";
import { executionIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { pullRequestSchema } from "./pull-request.ts";

const commitIdSchema = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const branchNameSchema = z.string().min(1).max(500);

/** A commit that keeps files as they were before a destructive operation. It can be restored for 30 days. */
export const safetyRefSchema = z.object({
  /** `refs/skein/safety/<attempt>/<time>` */
  ref: z.string(),
  commit: commitIdSchema,
  /** The operation that followed. */
  before: z.enum(["discard", "restore", "update", "land", "resolve", "abort"]),
  createdAt: timestampSchema,
});
export type SafetyRef = z.infer<typeof safetyRefSchema>;

/**
 * One conflicting file. `both-changed` has conflict markers in the file; the other kinds have a file on one side only. `isResolved`: the
 * file has no markers any more, or the user chose a side.
 */
const conflictFileSchema = z.object({
  path: z.string(),
  kind: z.enum(["both-changed", "both-added", "deleted-by-us", "deleted-by-them", "other"]),
  binary: z.boolean(),
  isResolved: z.boolean(),
});

/** An update with conflicts. It stays until it is finished or aborted, also across restarts. */
export const gitConflictSchema = z.object({
  method: z.enum(["rebase", "merge"]),
  /** The commit that is merged, or rebased onto. */
  onto: commitIdSchema,
  baseBranch: branchNameSchema,
  /** For a rebase: the commit that is being applied, and the number of commits after it. */
  applying: z.object({ commit: commitIdSchema, subject: z.string(), left: z.int().nonnegative() }).nullable(),
  files: z.array(conflictFileSchema),
  startedAt: timestampSchema,
});
export type GitConflict = z.infer<typeof gitConflictSchema>;

/** How an attempt was landed. */
export const landingSchema = z.object({
  method: z.enum(["fast-forward", "squash", "merge"]),
  branch: branchNameSchema,
  commit: commitIdSchema,
  /** The branch's commit before. */
  previous: commitIdSchema,
  /** The attempt's last commit at that time. */
  head: commitIdSchema,
  landedAt: timestampSchema,
  /** Who landed it. */
  by: actorSchema.exactOptional(),
});
export type Landing = z.infer<typeof landingSchema>;

/** Why an operation cannot be done now. */
const gitObstacleSchema = z.object({
  text: toTextSchema(gitObstacleShapes),
  /** A shell command that removes the obstacle. */
  command: z.string().optional(),
});
export type GitObstacle = z.infer<typeof gitObstacleSchema>;

/** The state of an attempt's branch: GET /api/attempts/:id/git. */
export const gitStateSchema = z.object({
  /** Null: detached HEAD, or no commit yet. */
  branch: branchNameSchema.nullable(),
  head: commitIdSchema.nullable(),
  base: z.object({
    branch: branchNameSchema.nullable(),
    /** The base branch's current commit; null if the branch is gone. */
    tip: commitIdSchema.nullable(),
    /** The base commit of the attempt's diff. */
    commit: commitIdSchema.nullable(),
  }),
  /**
   * Commits of the attempt that the base branch does not have, and vice versa. Landed work, and the landing commit itself, do not count
   * while the base branch has them. Null without a base branch.
   */
  ahead: z.int().nonnegative().nullable(),
  behind: z.int().nonnegative().nullable(),
  /** Files that differ from the last commit; the first 200 by name. */
  dirty: z.object({ files: z.int().nonnegative(), paths: z.array(z.string()) }),
  conflict: gitConflictSchema.nullable(),
  landing: landingSchema.nullable(),
  safetyRefs: z.array(safetyRefSchema),
  remote: z
    .object({
      name: z.string(),
      /** Without credentials. */
      url: z.string(),
      /** The branch's commit there; null if it was never pushed. */
      pushed: commitIdSchema.nullable(),
    })
    .nullable(),
  pullRequest: pullRequestSchema.nullable(),
  /** Operations that cannot be done now, and why. All others can. */
  obstacles: z.partialRecord(z.enum(["commit", "update", "land", "push", "restore", "discard"]), gitObstacleSchema),
});
export type GitState = z.infer<typeof gitStateSchema>;
/** The state of a branch as git knows it, without its forge. */
export type BranchState = Omit<GitState, "pullRequest">;
/** An operation on an attempt's branch. */
export type GitOperationName = keyof GitState["obstacles"] & string;

/** Part of a file: a hunk of the attempt's uncommitted diff, identified by its header's numbers. */
const hunkSelectionSchema = z.object({
  oldStart: z.int().nonnegative(),
  oldLines: z.int().nonnegative(),
  newStart: z.int().nonnegative(),
  newLines: z.int().nonnegative(),
});
const fileSelectionSchema = z.object({
  path: z.string().min(1).max(4096),
  /** Absent: the whole file. */
  hunks: z.array(hunkSelectionSchema).optional(),
  /** `newId` of the diff in which they were selected: rejected if the file has changed since. */
  contentId: z.string().optional(),
});
/** A file of a diff, or some of its hunks, to commit or discard. */
export type FileSelection = z.infer<typeof fileSelectionSchema>;

/** Commits changes of an attempt. */
export const commitSchema = z.object({
  message: z.string().trim().min(1, "must not be empty").max(100_000),
  /** Absent: everything that differs from the last commit. */
  files: z.array(fileSelectionSchema).min(1).max(10_000).optional(),
});
export type CommitRequest = z.input<typeof commitSchema>;

/** A commit that was made, and how many files it changes. */
export const committedSchema = z.object({ commit: commitIdSchema, files: z.int().nonnegative(), hooks: hooksRunSchema });
export type Committed = z.infer<typeof committedSchema>;

/** Discards uncommitted changes of an attempt. A safety ref keeps them. */
export const discardSchema = z.object({ files: z.array(fileSelectionSchema).min(1).max(10_000) });
export type DiscardRequest = z.input<typeof discardSchema>;

/**
 * `before` or `after` an execution: restores files that executions since then changed, and keeps others. `ref`: restores a safety ref
 * completely.
 */
export const restoreSchema = z.union([
  z.object({ executionId: executionIdSchema, to: z.enum(["before", "after"]) }),
  z.object({ ref: z.string().startsWith("refs/skein/safety/").max(500) }),
]);
export type RestoreRequest = z.input<typeof restoreSchema>;

/** A completed destructive operation, and how to undo it. */
export const restoredSchema = z.object({ paths: z.array(z.string()), safetyRef: safetyRefSchema });
export type Restored = z.infer<typeof restoredSchema>;

/** Brings the base branch's new commits into an attempt. */
export const updateAttemptBaseSchema = z.object({ method: z.enum(["rebase", "merge"]).default("rebase") });
export type UpdateAttemptBase = z.input<typeof updateAttemptBaseSchema>;

/** The result of an update: a new head, or a conflict. */
export const updatedAttemptBaseSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("up-to-date") }),
  z.object({ outcome: z.literal("updated"), head: commitIdSchema, commits: z.int().nonnegative(), safetyRef: safetyRefSchema }),
  z.object({ outcome: z.literal("conflict"), conflict: gitConflictSchema, safetyRef: safetyRefSchema }),
]);
export type UpdatedAttemptBase = z.infer<typeof updatedAttemptBaseSchema>;

/** The kind of one side of a conflict. `large`: a text that is too large to send. `special`: a symbolic link or a submodule. `none`: no file. */
const sideKindSchema = z.enum(["text", "binary", "large", "special", "none"]);
export type ConflictSideKind = z.infer<typeof sideKindSchema>;

/** The three sides of one conflicting file; null for a side that is not a text. */
export const conflictSidesSchema = z.object({
  path: z.string(),
  base: z.string().nullable(),
  ours: z.string().nullable(),
  theirs: z.string().nullable(),
  /** The current content in the worktree. */
  current: z.string().nullable(),
  kinds: z.object({ base: sideKindSchema, ours: sideKindSchema, theirs: sideKindSchema, current: sideKindSchema }),
  /** Of the content in the worktree, for `write`; empty where there is no file. */
  currentId: z.string(),
});
export type ConflictSides = z.infer<typeof conflictSidesSchema>;

/** `finish` requires every file to be resolved. `agent` sends one message that describes the conflict. */
export const resolveConflictSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("use"), path: z.string().min(1).max(4096), side: z.enum(["ours", "theirs"]) }),
  z.object({
    action: z.literal("write"),
    path: z.string().min(1).max(4096),
    content: z.string().max(10_000_000),
    /** `currentId` of the text that was edited: it is refused when the file has changed since. */
    currentId: z.string().max(200).optional(),
  }),
  z.object({ action: z.literal("mark-resolved"), path: z.string().min(1).max(4096) }),
  z.object({ action: z.literal("finish") }),
  z.object({ action: z.literal("abort") }),
  z.object({ action: z.literal("agent"), id: z.string().min(1).max(200) }),
]);
export type ResolveConflict = z.infer<typeof resolveConflictSchema>;

/** Lands an attempt on its base branch. */
export const landRequestSchema = z.object({
  method: z.enum(["fast-forward", "squash", "merge"]).default("squash"),
  /** Message of the squash or merge commit; default: the task's title and the commits. */
  message: z.string().trim().max(100_000).optional(),
});
export type LandRequest = z.input<typeof landRequestSchema>;

/** Pushes an attempt's branch. */
export const pushRequestSchema = z.object({
  /** Default: the remote of the base branch, or the only one. */
  remote: z.string().min(1).max(200).optional(),
});
export type PushRequest = z.input<typeof pushRequestSchema>;

/** A pushed branch. */
export const pushedSchema = z.object({
  remote: z.string(),
  branch: branchNameSchema,
  commit: commitIdSchema,
  /** The page for a new pull request, if the remote's host is known. */
  newPullRequestUrl: z.string().nullable(),
  hooks: hooksRunSchema,
});
export type Pushed = z.infer<typeof pushedSchema>;
