import { z } from "zod";

/** Lines have a prefix: a space, `+` or `-`. Line numbers are those of the real file, from 1; both starts are 0 if they are unknown. */
export const diffHunkSchema = z.object({
  oldStart: z.int().nonnegative(),
  oldLines: z.int().nonnegative(),
  newStart: z.int().nonnegative(),
  newLines: z.int().nonnegative(),
  lines: z.array(z.string()),
});
export type DiffHunk = z.infer<typeof diffHunkSchema>;

/** The change of one file. */
export const fileDiffSchema = z.object({
  filePath: z.string(),
  change: z.enum(["created", "updated", "deleted", "renamed"]).optional(),
  /** Absent if only a patch is known. */
  oldContent: z.string().optional(),
  newContent: z.string().optional(),
  hunks: z.array(diffHunkSchema),
  /** The unified patch, if nothing else is known. */
  patch: z.string().optional(),
});
export type FileDiff = z.infer<typeof fileDiffSchema>;

/** The change of one file by a tool (T7), always with contents: of the whole file, or of the part that is known. */
export const toolDiffObject = fileDiffSchema.extend({
  oldContent: z.string(),
  newContent: z.string(),
  scope: z.enum(["file", "snippet"]),
});
export type ToolDiff = z.infer<typeof toolDiffObject>;
