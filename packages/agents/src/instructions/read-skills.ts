import { truncateCodePoints } from "@skein/engine";
import type { Workspace } from "../workspace/workspace.ts";
import { listEntries } from "./list-entries.ts";
import { parseFrontmatter } from "./parse-frontmatter.ts";
import { readInstructionFile } from "./read-instruction-file.ts";

export interface Skill {
  name: string;
  description: string;
  /** Relative to the root; the agent reads it on demand. */
  path: string;
}

const skillFolders = [".skein/skills", ".claude/skills"];
const maximumSkills = 50;
const maximumFileLength = 64 * 1024;

/** Only names and descriptions: the content of a skill costs nothing until it is needed. */
export async function readSkills(workspace: Workspace): Promise<Skill[]> {
  const skills = new Map<string, Skill>();
  for (const folder of skillFolders) {
    for (const entry of await listEntries(workspace, folder)) {
      if (!entry.isFolder || skills.size >= maximumSkills) continue;
      const path = `${folder}/${entry.name}/SKILL.md`;
      const text = await readInstructionFile(workspace, path, maximumFileLength);
      if (text === undefined) continue;
      const { fields } = await parseFrontmatter(text);
      const name = toLine(fields.get("name") ?? entry.name, 100);
      if (!skills.has(name)) skills.set(name, { name, description: toLine(fields.get("description") ?? "", 500), path });
    }
  }
  return [...skills.values()];
}

function toLine(text: string, maximum: number): string {
  return truncateCodePoints(text.replace(/\s+/g, " ").trim(), maximum);
}
