import { z } from "zod";

/** Git's id of a content, as used in diffs. */
export const blobIdSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** Relative to the attempt's folder, with `/`. */
export const worktreePathSchema = z.string().max(4096);

/** A file or folder of an attempt. */
export const folderEntrySchema = z.object({
  name: z.string(),
  path: z.string(),
  kind: z.enum(["folder", "file"]),
});
export type FolderEntry = z.infer<typeof folderEntrySchema>;

/** One folder, subfolders first, without `.git`. */
export const folderListingSchema = z.object({
  path: z.string(),
  entries: z.array(folderEntrySchema),
  /** True if there were too many to send. */
  truncated: z.boolean(),
});
export type FolderListing = z.infer<typeof folderListingSchema>;

const base = z.object({ path: z.string(), size: z.int().nonnegative() });

/** The content of a file of an attempt, or why it is not shown. */
export const fileContentSchema = z.discriminatedUnion("kind", [
  /** `truncated`: only the beginning. */
  base.extend({ kind: z.literal("text"), content: z.string(), truncated: z.boolean() }),
  /** `data` is base64. */
  base.extend({ kind: z.literal("image"), mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]), data: z.string() }),
  base.extend({ kind: z.literal("binary") }),
]);
export type FileContent = z.infer<typeof fileContentSchema>;

/** Paths that match the input, best first; a folder ends with `/`. */
export const fileMatchesSchema = z.object({ paths: z.array(z.string()) });

/** A slash command that a message may begin with. */
export const slashCommandSchema = z.object({
  name: z.string(),
  description: z.string(),
  source: z.enum(["built-in", "project"]),
});
export type SlashCommand = z.infer<typeof slashCommandSchema>;
