import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { attemptIdSchema, commentIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** The side of a diff that a line belongs to: the base, or the attempt's files. */
const diffSideSchema = z.enum(["old", "new"]);

const lineSchema = z.int().positive();
const pathSchema = z.string().min(1).max(4096);
const bodySchema = z.string().trim().min(1, "must not be empty").max(20_000);

/** `draft`: not sent yet. `sent`: part of a review that was sent to the agent, or waits in the queue. `resolved`: sent, and closed by the user. */
const commentStateSchema = z.enum(["draft", "sent", "resolved"]);
export type CommentState = z.infer<typeof commentStateSchema>;

/**
 * A stored review comment. It is about the whole attempt (no path), a file (no lines), or a range of lines on one side of the attempt's
 * diff. Line numbers are those at the time of writing; `quote` has their text, by which they are located later.
 */
export const storedCommentSchema = z.object({
  id: commentIdSchema,
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  path: pathSchema.nullable(),
  side: diffSideSchema,
  /** From 1, inclusive. Null: the whole file. */
  startLine: lineSchema.nullable(),
  endLine: lineSchema.nullable(),
  /** The lines at that time, joined with `\n`; empty for a file or an attempt. */
  quote: z.string(),
  body: z.string(),
  state: commentStateSchema,
  /** The execution that the review started; null for drafts and for reviews in the queue. */
  executionId: executionIdSchema.nullable(),
  /** Who wrote it. */
  by: actorSchema.exactOptional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type StoredComment = z.infer<typeof storedCommentSchema>;

/** A comment with the current position of its lines. */
export const reviewCommentSchema = storedCommentSchema.extend({
  /** True if the quoted lines, or the file, are no longer in the diff; `startLine` and `endLine` then have their original values. */
  isOutdated: z.boolean(),
});
export type ReviewComment = z.infer<typeof reviewCommentSchema>;

/** A new comment: on the attempt, a file, or lines of a file. */
export const createCommentSchema = z
  .object({
    /** Chosen by the client. Repeating an id returns the comment that it created. */
    id: commentIdSchema.optional(),
    path: pathSchema.optional(),
    side: diffSideSchema.default("new"),
    startLine: lineSchema.optional(),
    /** Default: `startLine`. */
    endLine: lineSchema.optional(),
    body: bodySchema,
  })
  .refine(({ path, startLine }) => startLine === undefined || path !== undefined, "lines need a path")
  .refine(
    ({ startLine, endLine }) => endLine === undefined || (startLine !== undefined && endLine >= startLine),
    "endLine is before startLine",
  );

/** `resolved` is for sent comments; `resolved: false` reopens one. The text of a sent comment cannot be changed. */
export const updateCommentSchema = z.object({ body: bodySchema, resolved: z.boolean() }).partial();
export type UpdateComment = z.infer<typeof updateCommentSchema>;

/** Sends all drafts of an attempt as one message. */
export const sendReviewSchema = z.object({
  /** Chosen by the client. Repeating an id does nothing. */
  id: z.string().min(1).max(200),
  /** Precedes the comments. */
  message: z.string().max(20_000).default(""),
});

/** A file of the diff that the user has viewed. Valid while the file's content is `contentId` (`newId` of the diff, or empty). */
const viewedFileSchema = z.object({ path: pathSchema, contentId: z.string().max(200) });
export type ViewedFile = z.infer<typeof viewedFileSchema>;

/** Marks a file of the diff as viewed or not viewed. */
export const setViewedSchema = viewedFileSchema.extend({ viewed: z.boolean() });
export type SetViewed = z.infer<typeof setViewedSchema>;

/** The review of an attempt. */
export const reviewSchema = z.object({ comments: z.array(reviewCommentSchema), viewed: z.array(viewedFileSchema) });
export type Review = z.infer<typeof reviewSchema>;
