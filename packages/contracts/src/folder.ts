import { z } from "zod";

/** A folder that a user can choose for a project. */
export const listedFolderSchema = z.object({
  name: z.string(),
  /** As typed by a user: starts with `~` below the home folder. */
  path: z.string(),
  /** It has a `.git`. */
  isRepository: z.boolean(),
});
export type ListedFolder = z.infer<typeof listedFolderSchema>;

/** Folders whose path begins with the input, repositories first. `truncated`: there are more. */
export const folderMatchesSchema = z.object({ folders: z.array(listedFolderSchema), truncated: z.boolean() });
export type FolderMatches = z.infer<typeof folderMatchesSchema>;

/** Branches that an attempt can start from; `current` is checked out in the project's folder. */
export const branchListSchema = z.object({
  /** Newest commit first; branches of Skein's attempts last. */
  branches: z.array(z.string()),
  current: z.string().nullable(),
  truncated: z.boolean(),
});
export type BranchList = z.infer<typeof branchListSchema>;
