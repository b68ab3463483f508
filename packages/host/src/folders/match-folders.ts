import type { Dirent } from "node:fs";
import { lstat, opendir, stat } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import type { FolderMatches, ListedFolder } from "@skein/contracts";
import { expandHome } from "./home-path.ts";

/** A folder may have a million entries; completion reads only the first ones. */
const longestListing = 5000;
/** Number of folders that are checked for a `.git`. */
const mostChecked = 300;

/**
 * Completes a folder path: returns the subfolders of its last complete segment whose names start with the rest. Hidden folders are
 * listed only if the rest starts with a dot. Relative paths start at the home folder. An unreadable folder has no matches.
 */
export async function matchFolders(typed: string, { limit }: { limit: number }): Promise<FolderMatches> {
  const path = typed === "~" ? "~/" : isAbsolute(typed) || typed.startsWith("~/") ? typed : `~/${typed}`;
  const cut = path.lastIndexOf("/") + 1;
  const [parent, start] = [path.slice(0, cut), path.slice(cut).toLowerCase()];
  const fits = (name: string) => name.toLowerCase().startsWith(start) && (start.startsWith(".") || !name.startsWith("."));
  const { names, truncated } = await listFolders(expandHome(parent), fits);
  const shown = names.sort((a, b) => a.localeCompare(b)).slice(0, mostChecked);
  const folders = await Promise.all(
    shown.map(
      async (name): Promise<ListedFolder> => ({
        name,
        path: `${parent}${name}`,
        isRepository: await hasGit(join(expandHome(parent), name)),
      }),
    ),
  );
  // after a trailing slash, the folder itself is a candidate
  const itself = start === "" && parent !== "/" && (await hasGit(expandHome(parent)));
  const whole: ListedFolder = { name: basename(expandHome(parent)), path: parent.replace(/\/+$/, ""), isRepository: true };
  const ranked = [
    ...(itself ? [whole] : []),
    ...folders.filter(({ isRepository }) => isRepository),
    ...folders.filter(({ isRepository }) => !isRepository),
  ];
  return { folders: ranked.slice(0, limit), truncated: truncated || names.length > limit };
}

async function listFolders(directory: string, fits: (name: string) => boolean): Promise<{ names: string[]; truncated: boolean }> {
  const names: string[] = [];
  let count = 0;
  try {
    for await (const entry of await opendir(directory)) {
      if (++count > longestListing) return { names, truncated: true };
      if (fits(entry.name) && (await isFolder(directory, entry))) names.push(entry.name);
    }
  } catch {
    // missing, not a folder, or unreadable: adding the project reports the reason
  }
  return { names, truncated: false };
}

async function isFolder(directory: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return (await stat(join(directory, entry.name)).catch(() => undefined))?.isDirectory() ?? false;
}

/** `.git` is a file in worktrees and submodules, a folder otherwise. */
async function hasGit(directory: string): Promise<boolean> {
  return (await lstat(join(directory, ".git")).catch(() => undefined)) !== undefined;
}
