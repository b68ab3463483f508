import { z } from "zod";

/** A folder that a user can choose for a project. */
export const listedFolderSchema = z.object({
  name: z.string(),
  /** As it can be typed: below the home folder it starts with `~`. */
  path: z.string(),
  /** It has a `.git`. */
  isRepository: z.boolean(),
});
export type ListedFolder = z.infer<typeof listedFolderSchema>;

/** Folders whose path begins with what was typed, repositories first. `truncated`: there are more. */
export const folderMatchesSchema = z.object({ folders: z.array(listedFolderSchema), truncated: z.boolean() });
export type FolderMatches = z.infer<typeof folderMatchesSchema>;

/** What an attempt can start from; `current` is checked out in the project's folder. */
export const branchListSchema = z.object({
  /** The one with the newest commit first; those of Skein's attempts last. */
  branches: z.array(z.string()),
  current: z.string().nullable(),
  truncated: z.boolean(),
});
export type BranchList = z.infer<typeof branchListSchema>;
