import { takeStart } from "@skein/engine/truncate";
import { readTextFile } from "../workspace/read-text-file.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** In order of precedence; other agents' name for the same file comes second. */
export const instructionFileNames = ["AGENTS.md", "CLAUDE.md"];

/** The text of an instruction file, truncated; undefined if it is missing, empty, binary or outside. */
export async function readInstructionFile(workspace: Workspace, path: string, maximumLength: number): Promise<string | undefined> {
  try {
    const { text } = await readTextFile(workspace, await workspace.resolve(path));
    if (text.trim() === "") return undefined;
    return text.length > maximumLength ? `${takeStart(text, maximumLength)}\n(The rest of ${path} is left out.)` : text;
  } catch {
    // Nothing in a repository may prevent the agent from starting.
    return undefined;
  }
}

/** Both files of one folder; the second one is dropped if it is equal, or only refers to the first. */
export async function readInstructionFiles(
  workspace: Workspace,
  folder: string,
  maximumLength: number,
): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for (const name of instructionFileNames) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const text = await readInstructionFile(workspace, path, maximumLength);
    if (text === undefined || found.some((other) => other.text === text) || /^\s*@\S*AGENTS\.md\s*$/.test(text)) continue;
    found.push({ path, text });
  }
  return found;
}
