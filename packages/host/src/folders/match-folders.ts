import type { Dirent } from "node:fs";
import { lstat, opendir, stat } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import type { FolderMatches, ListedFolder } from "@skein/contracts";
import { expandHome } from "./home-path.ts";

/** A folder may hold a million entries: nobody completes a name among so many. */
const longestListing = 5000;
/** Whose `.git` is looked for. */
const mostChecked = 300;

/**
 * Completes the path of a folder: the folders in its last complete part whose names begin with the rest. Hidden ones only when the
 * rest begins with a dot. A relative path is one below the home folder. What cannot be read has no folders. Nothing is run.
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
  // after the last slash, the folder itself may be what is wanted
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
    // not there, not a folder, or not readable: whoever adds it is told why
  }
  return { names, truncated: false };
}

async function isFolder(directory: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return (await stat(join(directory, entry.name)).catch(() => undefined))?.isDirectory() ?? false;
}

/** A file in worktrees and submodules, a folder in the others. */
async function hasGit(directory: string): Promise<boolean> {
  return (await lstat(join(directory, ".git")).catch(() => undefined)) !== undefined;
}
