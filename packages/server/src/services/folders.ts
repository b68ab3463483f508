import { basename } from "node:path";
import type { FolderMatches } from "@skein/contracts";
import type { ServiceContext } from "./service-context.ts";

export type FolderService = ReturnType<typeof createFolderService>;

/** Finds possible projects on this machine. Reads folder names only. */
export function createFolderService({ storage, host: { workspaces } }: ServiceContext) {
  return {
    match: (typed: string, { limit }: { limit: number }): Promise<FolderMatches> => workspaces.matchFolders({ typed, limit }),

    /** Repositories near the home folder that are not projects yet, most recently used first. */
    async suggest({ limit }: { limit: number }): Promise<FolderMatches> {
      const known = new Set((await storage.read.listProjects()).map(({ path }) => path));
      const found = (await workspaces.findRepositories()).filter(({ path }) => !known.has(path));
      const folders = found.slice(0, limit).map(({ path, shown }) => ({ name: basename(path), path: shown, isRepository: true }));
      return { folders, truncated: found.length > limit };
    },
  };
}
