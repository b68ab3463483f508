import { z } from "zod";

/* What is read of the answers of Gitea and Forgejo (API v1). */

const timeSchema = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));
const userSchema = z.object({ login: z.string() }).nullable();

const branchSchema = z.object({ ref: z.string(), sha: z.string(), repo_id: z.int() });

export const pullSchema = z.object({
  number: z.int().positive(),
  html_url: z.string(),
  title: z.string(),
  body: z.string(),
  state: z.string(),
  draft: z.boolean().optional(),
  merged: z.boolean(),
  mergeable: z.boolean(),
  head: branchSchema,
  base: branchSchema,
});

export const comparisonSchema = z.object({ total_commits: z.int() });

export const statusSchema = z.object({
  id: z.int(),
  context: z.string(),
  status: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

export const reviewSchema = z.object({
  id: z.int(),
  user: userSchema,
  state: z.string(),
  body: z.string(),
  dismissed: z.boolean().optional(),
  /** By somebody whose approval counts. */
  official: z.boolean().optional(),
  comments_count: z.int(),
  html_url: z.string(),
  submitted_at: timeSchema,
});

export const lineCommentSchema = z.object({
  id: z.int(),
  user: userSchema,
  body: z.string(),
  path: z.string(),
  /** The line in the new file, or 0; then `original_position` is the one in the old file. */
  position: z.int().nonnegative(),
  original_position: z.int().nonnegative().optional(),
  html_url: z.string(),
  created_at: timeSchema,
});

export const commentSchema = z.object({ id: z.int(), user: userSchema, body: z.string(), html_url: z.string(), created_at: timeSchema });
