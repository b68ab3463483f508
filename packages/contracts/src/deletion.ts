import { z } from "zod";
import { attemptIdSchema } from "./ids.ts";

/** `discard=true` discards uncommitted changes in worktrees. */
export const deletionQuerySchema = z.object({ discard: z.enum(["true", "false"]).default("false") });

/** How the repository's cleanup script ended in a worktree that was removed. */
export const cleanupOutcomeSchema = z.object({
  attemptId: attemptIdSchema,
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  /** The end of its output. */
  output: z.string(),
});
export type CleanupOutcome = z.infer<typeof cleanupOutcomeSchema>;

/** What a deletion kept, and how cleanup scripts ended. */
export const deletionResultSchema = z.object({
  /** Branches of removed worktrees with commits that no other branch or tag contains. */
  keptBranches: z.array(z.string()),
  cleanups: z.array(cleanupOutcomeSchema),
});
export type DeletionResult = z.infer<typeof deletionResultSchema>;
