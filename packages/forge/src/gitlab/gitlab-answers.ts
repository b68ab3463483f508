import { z } from "zod";

/* What is read of GitLab's answers (API v4). */

const timeSchema = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));
const userSchema = z.object({ username: z.string() });

export const mergeRequestSchema = z.object({
  iid: z.int().positive(),
  web_url: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.string(),
  draft: z.boolean().optional(),
  sha: z.string().nullable(),
  source_branch: z.string(),
  target_branch: z.string(),
  has_conflicts: z.boolean().optional(),
  /** Since 15.6. */
  detailed_merge_status: z.string().optional(),
});

export const listedSchema = mergeRequestSchema.pick({ iid: true });

export const comparisonSchema = z.object({ commits: z.array(z.unknown()) });

export const statusSchema = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

export const noteSchema = z.object({
  id: z.int(),
  body: z.string(),
  author: userSchema,
  created_at: timeSchema,
  /** Written by GitLab itself: “added 1 commit”. */
  system: z.boolean(),
  position: z
    .object({
      new_path: z.string().nullish(),
      old_path: z.string().nullish(),
      new_line: z.int().positive().nullish(),
      old_line: z.int().positive().nullish(),
    })
    .nullish(),
});

export const approvalsSchema = z.object({
  approved_by: z.array(z.object({ user: userSchema, approved_at: timeSchema.nullish() })),
});

/** Since 13.8; `requested_changes` since 16.9. */
export const reviewerSchema = z.object({ user: userSchema, state: z.string(), created_at: timeSchema });
