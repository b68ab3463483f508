import { z } from "zod";
import { attemptIdSchema } from "./ids.ts";

/** `discard=true` gives up changes in worktrees that are in no commit. */
export const deletionQuerySchema = z.object({ discard: z.enum(["true", "false"]).default("false") });

/** How the repository's cleanup script ended in a worktree that was removed. */
export const cleanupOutcomeSchema = z.object({
  attemptId: attemptIdSchema,
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  /** The end of what it printed. */
  output: z.string(),
});
export type CleanupOutcome = z.infer<typeof cleanupOutcomeSchema>;

/** What a deletion left behind, and how cleanup scripts ended. */
export const deletionResultSchema = z.object({
  /** Branches of worktrees that have commits which no other branch or tag has. */
  keptBranches: z.array(z.string()),
  cleanups: z.array(cleanupOutcomeSchema),
});
export type DeletionResult = z.infer<typeof deletionResultSchema>;
