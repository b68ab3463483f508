import type { Workspace } from "../workspace/workspace.ts";
import { commandFolders, commandNamePattern, maximumCommandLength } from "./list-commands.ts";
import { parseFrontmatter } from "./parse-frontmatter.ts";
import { readInstructionFile } from "./read-instruction-file.ts";

/**
 * Replaces a message `/name arguments` by the text of the project's command of that name. Other messages are returned unchanged,
 * including those with a slash and an unknown name.
 */
export async function expandCommand(workspace: Workspace, message: string): Promise<string> {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(message.trim());
  const name = match?.[1];
  if (name === undefined || !commandNamePattern.test(name)) return message;
  for (const folder of commandFolders) {
    const text = await readInstructionFile(workspace, `${folder}/${name.replaceAll(":", "/")}.md`, maximumCommandLength);
    if (text !== undefined) return fillIn((await parseFrontmatter(text)).body.trim(), match?.[2]?.trim() ?? "");
  }
  return message;
}

/** `$ARGUMENTS` stands for all arguments, `$1` to `$9` for single ones; a text with neither gets them appended. */
function fillIn(template: string, given: string): string {
  const words = splitWords(given);
  let used = false;
  const text = template.replace(/\$ARGUMENTS\b|\$([1-9])(?!\d)/g, (_, number: string | undefined) => {
    used = true;
    return number === undefined ? given : (words[Number(number) - 1] ?? "");
  });
  return used || given === "" ? text : `${text}\n\nArguments: ${given}`;
}

/** Quotes group words. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}
