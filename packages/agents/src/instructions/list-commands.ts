import { truncateCodePoints } from "@skein/engine";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { listEntries } from "./list-entries.ts";
import { parseFrontmatter } from "./parse-frontmatter.ts";
import { readInstructionFile } from "./read-instruction-file.ts";

/** A slash command that a file of the repository defines. */
export interface ProjectCommand {
  /** Without its slash. A file in a folder is named `folder:name`. */
  name: string;
  description: string;
  /** Relative to the root. */
  path: string;
}

/** Skein's own folder takes precedence over that of other agents. */
export const commandFolders = [".skein/commands", ".claude/commands"];
/** The most bytes of a command file that are read. */
export const maximumCommandLength = 64 * 1024;
const maximumCommands = 200;
const maximumDepth = 3;
/** The name of a slash command: at most three folders, then its own name. */
export const commandNamePattern = /^[\w-]+(?::[\w-]+){0,3}$/;

/** The slash commands of a project, by name. They are text: listing and expanding them runs nothing (X8). */
export async function listCommands(directory: string): Promise<ProjectCommand[]> {
  const workspace = await openWorkspace(directory);
  const commands = new Map<string, ProjectCommand>();
  for (const folder of commandFolders) {
    for (const { name, path } of await findFiles(workspace, folder, [])) {
      if (commands.has(name) || commands.size >= maximumCommands) continue;
      const text = await readInstructionFile(workspace, path, maximumCommandLength);
      if (text !== undefined) commands.set(name, { name, description: await describe(text), path });
    }
  }
  return [...commands.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function findFiles(workspace: Workspace, folder: string, names: readonly string[]): Promise<{ name: string; path: string }[]> {
  const found: { name: string; path: string }[] = [];
  for (const entry of await listEntries(workspace, folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFolder) {
      if (names.length + 1 < maximumDepth) found.push(...(await findFiles(workspace, path, [...names, entry.name])));
    } else if (entry.name.endsWith(".md")) {
      const name = [...names, entry.name.slice(0, -".md".length)].join(":");
      if (commandNamePattern.test(name)) found.push({ name, path });
    }
  }
  return found;
}

/** Its description, otherwise its first line. */
async function describe(text: string): Promise<string> {
  const { fields, body } = await parseFrontmatter(text);
  const line =
    fields.get("description") ??
    body
      .trimStart()
      .split("\n", 1)[0]
      ?.replace(/^#+\s*/, "") ??
    "";
  return truncateCodePoints(line.replace(/\s+/g, " ").trim(), 200);
}
