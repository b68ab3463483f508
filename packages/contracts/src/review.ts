import { z } from "zod";
import { attemptIdSchema, commentIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** Which side of a diff a line belongs to: the base, or the attempt's files. */
const diffSideSchema = z.enum(["old", "new"]);

const lineSchema = z.int().positive();
const pathSchema = z.string().min(1).max(4096);
const bodySchema = z.string().trim().min(1, "must not be empty").max(20_000);

/** `draft`: not sent yet. `sent`: part of a review that the agent got, or that waits in the queue. `resolved`: sent, and dealt with. */
const commentStateSchema = z.enum(["draft", "sent", "resolved"]);
export type CommentState = z.infer<typeof commentStateSchema>;

/**
 * A comment of a review, as it is stored. It is about the whole attempt (no path), a file (no lines), or a range of lines of one side of
 * the attempt's diff. Lines are those of the moment it was written; `quote` has their text, by which they are found again.
 */
export const storedCommentSchema = z.object({
  id: commentIdSchema,
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  path: pathSchema.nullable(),
  side: diffSideSchema,
  /** Counted from 1, both included. Null: the whole file. */
  startLine: lineSchema.nullable(),
  endLine: lineSchema.nullable(),
  /** The lines as they were, joined with `\n`; empty for a file or an attempt. */
  quote: z.string(),
  body: z.string(),
  state: commentStateSchema,
  /** The execution that the review started, once it is known; null for drafts and for reviews that wait in the queue. */
  executionId: executionIdSchema.nullable(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type StoredComment = z.infer<typeof storedCommentSchema>;

/** A comment with the place where its lines are now. */
export const reviewCommentSchema = storedCommentSchema.extend({
  /** True when the quoted lines, or the file, are no longer in the diff; `startLine` and `endLine` are then where they were. */
  isOutdated: z.boolean(),
});
export type ReviewComment = z.infer<typeof reviewCommentSchema>;

export const createCommentSchema = z
  .object({
    /** Chosen by the client. The same id sent again returns the comment that it made. */
    id: commentIdSchema.optional(),
    path: pathSchema.optional(),
    side: diffSideSchema.default("new"),
    startLine: lineSchema.optional(),
    /** Defaults to `startLine`. */
    endLine: lineSchema.optional(),
    body: bodySchema,
  })
  .refine(({ path, startLine }) => startLine === undefined || path !== undefined, "lines need a path")
  .refine(
    ({ startLine, endLine }) => endLine === undefined || (startLine !== undefined && endLine >= startLine),
    "endLine is before startLine",
  );

/** `resolved` is for comments that were sent; `resolved: false` opens one again, as sent. The text of a comment that was sent cannot be changed. */
export const updateCommentSchema = z.object({ body: bodySchema, resolved: z.boolean() }).partial();
export type UpdateComment = z.infer<typeof updateCommentSchema>;

/** Sends all drafts of an attempt as one message. */
export const sendReviewSchema = z.object({
  /** Chosen by the client. The same id sent again does nothing. */
  id: z.string().min(1).max(200),
  /** Precedes the comments. */
  message: z.string().max(20_000).default(""),
});

/** A file of the diff that the user has looked at. It counts as long as the file's content is `contentId` (`newId` of the diff, or empty). */
const viewedFileSchema = z.object({ path: pathSchema, contentId: z.string().max(200) });
export type ViewedFile = z.infer<typeof viewedFileSchema>;

export const setViewedSchema = viewedFileSchema.extend({ viewed: z.boolean() });
export type SetViewed = z.infer<typeof setViewedSchema>;

/** Everything that a review of an attempt has. */
export const reviewSchema = z.object({ comments: z.array(reviewCommentSchema), viewed: z.array(viewedFileSchema) });
export type Review = z.infer<typeof reviewSchema>;
