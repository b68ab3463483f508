import { z } from "zod";

/** Lines carry their prefix: a space, `+` or `-`. Line numbers are those of the real file, counted from 1; both starts 0: unknown. */
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
  /** Absent where only a patch is known. */
  oldContent: z.string().optional(),
  newContent: z.string().optional(),
  hunks: z.array(diffHunkSchema),
  /** The unified patch, where that is all that is known. */
  patch: z.string().optional(),
});
export type FileDiff = z.infer<typeof fileDiffSchema>;

/** The change of one file by a tool (T7): the contents are always there, of the whole file or of the part that is known. */
export const toolDiffObject = fileDiffSchema.extend({
  oldContent: z.string(),
  newContent: z.string(),
  scope: z.enum(["file", "snippet"]),
});
export type ToolDiff = z.infer<typeof toolDiffObject>;
