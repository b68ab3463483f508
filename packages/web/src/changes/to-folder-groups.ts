export interface FolderGroup {
  /** The outermost folder, without a `/` at its end; empty for what is in none. */
  folder: string;
  paths: string[];
}

/** Paths by their outermost folder, sorted; those in no folder come last. A folder that is a path itself is its own group. */
export function toFolderGroups(paths: readonly string[]): FolderGroup[] {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const end = path.indexOf("/");
    const folder = end === -1 ? "" : path.slice(0, end);
    groups.set(folder, [...(groups.get(folder) ?? []), path]);
  }
  return [...groups]
    .map(([folder, inside]) => ({ folder, paths: inside.toSorted((a, b) => a.localeCompare(b, "en")) }))
    .toSorted((a, b) => Number(a.folder === "") - Number(b.folder === "") || a.folder.localeCompare(b.folder, "en"));
}
