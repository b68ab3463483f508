import { posix } from "node:path";
import type { Workspace, WorkspacePath } from "../workspace/workspace.ts";
import { readInstructionFiles } from "./read-instruction-file.ts";

const maximumLength = 16 * 1024;
const maximumFolders = 50;

export interface FolderInstructions {
  /** The instructions of the folders between the root and a file, each folder once; empty if there is nothing new. */
  take(path: WorkspacePath): Promise<string>;
}

/** The root's instructions are in the system prompt; those of a folder are added with its first file that is touched. */
export function createFolderInstructions(workspace: Workspace): FolderInstructions {
  const given = new Set<string>();
  return {
    async take({ relative }) {
      const texts: string[] = [];
      for (const folder of listFolders(relative)) {
        if (given.has(folder) || given.size >= maximumFolders) continue;
        given.add(folder);
        for (const { path, text } of await readInstructionFiles(workspace, folder, maximumLength)) {
          // The file that is being read is not repeated.
          if (path !== relative) texts.push(`\n\n[Instructions for files below ${folder}/, from ${path}:]\n${text.trimEnd()}`);
        }
      }
      return texts.join("");
    },
  };
}

/** From the outermost to the innermost, without the root. */
function listFolders(relative: string): string[] {
  if (posix.isAbsolute(relative) || relative.startsWith("..")) return [];
  const segments = relative.split("/").slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}
