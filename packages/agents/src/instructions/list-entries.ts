import { readdir } from "node:fs/promises";
import type { Workspace } from "../workspace/workspace.ts";

/** The entries of a folder of the workspace, by name; empty if it is missing or outside. */
export async function listEntries(workspace: Workspace, folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  try {
    const directory = await workspace.openDirectory((await workspace.resolve(folder)).absolute);
    const entries = await readdir(directory.path, { withFileTypes: true }).finally(() => directory.close());
    return entries
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, 500);
  } catch {
    return [];
  }
}
