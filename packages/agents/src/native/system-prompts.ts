import { takeStart } from "@skein/engine";
import { readTextFile } from "../tools/read-text-file.ts";
import type { Workspace } from "../workspace/workspace.ts";

const instructionFiles = ["AGENTS.md", "CLAUDE.md"];
const maximumLength = 32 * 1024;

const ownPrompt = `You are Skein's coding agent. You work on the person's task in one folder, a git repository, with the tools you are given.

- Look before you change: find the files that matter with list, glob and grep, read them, and follow the conventions you see.
- File tools reach only the working folder. Give paths relative to its root.
- Calls that only read may be made together in one step; they run in parallel.
- Keep changes small and to the point. Change existing text with edit; use write for new files.
- Verify what you did with the project's own checks (tests, type checker, linter) where there are any, and read their output.
- When a tool fails or the person declines it, say so and find another way; never claim what you have not seen happen.
- Keep a todo list when the work has several steps.
- Do not commit, push or change git's history unless asked to.
- Answer concisely, in the language of the person, in Markdown. End with what changed and how it was checked.`;

/** The project's own instructions first, then ours. */
export async function readSystemPrompts(workspace: Workspace): Promise<string[]> {
  for (const name of instructionFiles) {
    const text = await readInstructions(workspace, name);
    if (text !== undefined) return [`Instructions of this project (${name}):\n${text}\n`, ownPrompt];
  }
  return [ownPrompt];
}

async function readInstructions(workspace: Workspace, name: string): Promise<string | undefined> {
  try {
    const { text } = await readTextFile(workspace, await workspace.resolve(name));
    if (text.trim() === "") return undefined;
    return text.length > maximumLength ? `${takeStart(text, maximumLength)}\n(The rest of ${name} is left out.)` : text;
  } catch {
    // Missing, outside, or no text: then there are none.
    return undefined;
  }
}
