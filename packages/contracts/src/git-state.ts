import { z } from "zod";
import { gitObstacleShapes } from "./coded-texts/git-text.ts";
import { toTextSchema } from "./coded-texts/text-shapes.ts";
import { executionIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { pullRequestSchema } from "./pull-request.ts";

const commitIdSchema = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const branchNameSchema = z.string().min(1).max(500);

/** A commit that keeps files as they were before a destructive step. It can be restored for 30 days. */
export const safetyRefSchema = z.object({
  /** `refs/skein/safety/<attempt>/<time>` */
  ref: z.string(),
  commit: commitIdSchema,
  /** What was done after it. */
  before: z.enum(["discard", "restore", "update", "land", "resolve", "abort"]),
  createdAt: timestampSchema,
});
export type SafetyRef = z.infer<typeof safetyRefSchema>;

/**
 * One conflicting file. `both-changed` has marks in the file; the other kinds have a file on one side only. `isResolved`: the file has
 * no marks any more, or the user chose a side.
 */
const conflictFileSchema = z.object({
  path: z.string(),
  kind: z.enum(["both-changed", "both-added", "deleted-by-us", "deleted-by-them", "other"]),
  binary: z.boolean(),
  isResolved: z.boolean(),
});

/** An update that met conflicts. It lasts until it is finished or aborted, also across restarts. */
export const gitConflictSchema = z.object({
  method: z.enum(["rebase", "merge"]),
  /** The commit that is merged, or rebased onto. */
  onto: commitIdSchema,
  baseBranch: branchNameSchema,
  /** Of a rebase: the commit that is being applied, and how many are left after it. */
  applying: z.object({ commit: commitIdSchema, subject: z.string(), left: z.int().nonnegative() }).nullable(),
  files: z.array(conflictFileSchema),
  startedAt: timestampSchema,
});
export type GitConflict = z.infer<typeof gitConflictSchema>;

/** Where an attempt was landed. */
export const landingSchema = z.object({
  method: z.enum(["fast-forward", "squash", "merge"]),
  branch: branchNameSchema,
  commit: commitIdSchema,
  /** What the branch was before. */
  previous: commitIdSchema,
  landedAt: timestampSchema,
});
export type Landing = z.infer<typeof landingSchema>;

/** Why an operation cannot be done now. */
const gitObstacleSchema = z.object({
  text: toTextSchema(gitObstacleShapes),
  /** A command for a terminal that removes the obstacle. */
  command: z.string().optional(),
});
export type GitObstacle = z.infer<typeof gitObstacleSchema>;

/** What the git bar of an attempt shows: GET /api/attempts/:id/git. */
export const gitStateSchema = z.object({
  /** Null: detached, or nothing was ever committed. */
  branch: branchNameSchema.nullable(),
  head: commitIdSchema.nullable(),
  base: z.object({
    branch: branchNameSchema.nullable(),
    /** Where the base branch is now; null where it is gone. */
    tip: commitIdSchema.nullable(),
    /** What the attempt's diff is taken against. */
    commit: commitIdSchema.nullable(),
  }),
  /** Commits of the attempt that the base branch does not have, and the other way round. Null where there is no base branch. */
  ahead: z.int().nonnegative().nullable(),
  behind: z.int().nonnegative().nullable(),
  /** Files that differ from the last commit; the first 200 of them by name. */
  dirty: z.object({ files: z.int().nonnegative(), paths: z.array(z.string()) }),
  conflict: gitConflictSchema.nullable(),
  landing: landingSchema.nullable(),
  safetyRefs: z.array(safetyRefSchema),
  remote: z
    .object({
      name: z.string(),
      /** Without credentials. */
      url: z.string(),
      /** Where the branch is there; null: never pushed. */
      pushed: commitIdSchema.nullable(),
    })
    .nullable(),
  pullRequest: pullRequestSchema.nullable(),
  /** Each operation that cannot be done now, and why. One that is missing here can be done. */
  obstacles: z.partialRecord(z.enum(["commit", "update", "land", "push", "restore", "discard"]), gitObstacleSchema),
});
export type GitState = z.infer<typeof gitStateSchema>;
/** The state of a branch as git knows it, without its forge. */
export type BranchState = Omit<GitState, "pullRequest">;
export type GitOperationName = keyof GitState["obstacles"] & string;

/** Part of a file: a hunk of the attempt's uncommitted diff, by its header's numbers, so that another one is not taken by mistake. */
const hunkSelectionSchema = z.object({
  oldStart: z.int().nonnegative(),
  oldLines: z.int().nonnegative(),
  newStart: z.int().nonnegative(),
  newLines: z.int().nonnegative(),
});
const fileSelectionSchema = z.object({
  path: z.string().min(1).max(4096),
  /** Without it, the whole file. */
  hunks: z.array(hunkSelectionSchema).optional(),
  /** `newId` of the diff in which they were selected: it is refused when the file has changed since. */
  contentId: z.string().optional(),
});
export type FileSelection = z.infer<typeof fileSelectionSchema>;

export const commitSchema = z.object({
  message: z.string().trim().min(1, "must not be empty").max(100_000),
  /** Without it, everything that differs from the last commit. */
  files: z.array(fileSelectionSchema).min(1).max(10_000).optional(),
});
export type CommitRequest = z.input<typeof commitSchema>;

/** A commit that was made, and how many files it changes. */
export const committedSchema = z.object({ commit: commitIdSchema, files: z.int().nonnegative() });
export type Committed = z.infer<typeof committedSchema>;

export const discardSchema = z.object({ files: z.array(fileSelectionSchema).min(1).max(10_000) });
export type DiscardRequest = z.input<typeof discardSchema>;

/**
 * `before` or `after` an execution: files that executions since then changed get their content of that moment, others stay. `ref`: a
 * safety ref, the whole of it.
 */
export const restoreSchema = z.union([
  z.object({ executionId: executionIdSchema, to: z.enum(["before", "after"]) }),
  z.object({ ref: z.string().startsWith("refs/skein/safety/").max(500) }),
]);
export type RestoreRequest = z.input<typeof restoreSchema>;

/** A destructive step that was done, and what undoes it. */
export const restoredSchema = z.object({ paths: z.array(z.string()), safetyRef: safetyRefSchema });
export type Restored = z.infer<typeof restoredSchema>;

export const updateAttemptBaseSchema = z.object({ method: z.enum(["rebase", "merge"]).default("rebase") });
export type UpdateAttemptBase = z.input<typeof updateAttemptBaseSchema>;

export const updatedAttemptBaseSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("up-to-date") }),
  z.object({ outcome: z.literal("updated"), head: commitIdSchema, commits: z.int().nonnegative(), safetyRef: safetyRefSchema }),
  z.object({ outcome: z.literal("conflict"), conflict: gitConflictSchema, safetyRef: safetyRefSchema }),
]);
export type UpdatedAttemptBase = z.infer<typeof updatedAttemptBaseSchema>;

/** What a side of a conflict is. `large`: a text that is not sent. `special`: a symbolic link or a submodule. `none`: no such file. */
const sideKindSchema = z.enum(["text", "binary", "large", "special", "none"]);
export type ConflictSideKind = z.infer<typeof sideKindSchema>;

/** One conflicting file on three sides. A side that is not a text is null. */
export const conflictSidesSchema = z.object({
  path: z.string(),
  base: z.string().nullable(),
  ours: z.string().nullable(),
  theirs: z.string().nullable(),
  /** As it is in the worktree now. */
  current: z.string().nullable(),
  kinds: z.object({ base: sideKindSchema, ours: sideKindSchema, theirs: sideKindSchema, current: sideKindSchema }),
  /** Of the content in the worktree, for `write`; empty where there is no file. */
  currentId: z.string(),
});
export type ConflictSides = z.infer<typeof conflictSidesSchema>;

/** `finish` needs every file resolved. `agent` sends one message that describes the conflict. */
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

export const landRequestSchema = z.object({
  method: z.enum(["fast-forward", "squash", "merge"]).default("squash"),
  /** Of the squash or merge commit; defaults to the task's title and the commits. */
  message: z.string().trim().max(100_000).optional(),
});
export type LandRequest = z.input<typeof landRequestSchema>;

export const pushRequestSchema = z.object({
  /** Defaults to the remote of the base branch, or to the only one. */
  remote: z.string().min(1).max(200).optional(),
});
export type PushRequest = z.input<typeof pushRequestSchema>;

export const pushedSchema = z.object({
  remote: z.string(),
  branch: branchNameSchema,
  commit: commitIdSchema,
  /** A page on which a pull request can be opened, where the host of the remote is known. */
  newPullRequestUrl: z.string().nullable(),
});
export type Pushed = z.infer<typeof pushedSchema>;
