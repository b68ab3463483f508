import type { Workspace } from "../workspace/workspace.ts";
import { commandFolders, commandNamePattern, maximumCommandLength } from "./list-commands.ts";
import { parseFrontmatter } from "./parse-frontmatter.ts";
import { readInstructionFile } from "./read-instruction-file.ts";

/**
 * A message `/name arguments` becomes what the project's command of that name says; any other message stays as it is, also
 * one that begins with a slash and names no command.
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

/** `$ARGUMENTS` is all of them, `$1` to `$9` are single ones; a text with neither gets them below it. */
function fillIn(template: string, given: string): string {
  const words = splitWords(given);
  let used = false;
  const text = template.replace(/\$ARGUMENTS\b|\$([1-9])(?!\d)/g, (_, number: string | undefined) => {
    used = true;
    return number === undefined ? given : (words[Number(number) - 1] ?? "");
  });
  return used || given === "" ? text : `${text}\n\nArguments: ${given}`;
}

/** Quotes keep words together. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}
