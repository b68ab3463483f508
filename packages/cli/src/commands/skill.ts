import { existsSync } from "node:fs";
import { mkdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { skillFile } from "@skein/server/skill-file";
import { CliError } from "../cli-error.ts";
import { exitCode } from "../exit-code.ts";

export type SkillAgent = "claude-code" | "codex" | "gemini" | "opencode";

/** Where each agent looks for the user's own skills, below the home folder. */
const folders: Record<SkillAgent, readonly string[]> = {
  "claude-code": [".claude", "skills"],
  codex: [".agents", "skills"],
  gemini: [".gemini", "skills"],
  opencode: [".config", "opencode", "skills"],
};

/** `skein skill install` and `skein skill uninstall`. Both can be repeated. */
export async function changeSkill(action: "install" | "uninstall", options: { agent?: SkillAgent; dir?: string }): Promise<number> {
  const text = await readFile(skillFile, "utf8");
  for (const folder of findFolders(options)) {
    const file = path.join(folder, "skein", "SKILL.md");
    console.log(action === "install" ? await install(file, text) : await uninstall(file));
  }
  return exitCode.success;
}

function findFolders({ agent, dir }: { agent?: SkillAgent; dir?: string }): string[] {
  if (dir !== undefined && agent !== undefined) throw new CliError("Use either --agent or --dir.", { exitCode: exitCode.usage });
  if (dir !== undefined) return [path.resolve(dir)];
  const home = homedir();
  if (agent !== undefined) return [path.join(home, ...folders[agent])];
  // read by Codex, opencode and others; Claude Code reads only its own
  const all = [path.join(home, ".agents", "skills")];
  return existsSync(path.join(home, ".claude")) ? [...all, path.join(home, ...folders["claude-code"])] : all;
}

async function install(file: string, text: string): Promise<string> {
  const before = await readFile(file, "utf8").catch(() => undefined);
  if (before === text) return `Already installed: ${file}`;
  // a file with the same name that Skein did not write is never replaced
  if (before !== undefined && !isOurs(before)) {
    throw new CliError(`${file} is another skill with the same name.`, { hint: "Remove it, or choose another folder with --dir." });
  }
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`The skill could not be written to ${file}: ${reason}`, { hint: "Choose another folder with --dir.", cause });
  }
  return `${before === undefined ? "Installed" : "Updated"}: ${file}`;
}

async function uninstall(file: string): Promise<string> {
  const before = await readFile(file, "utf8").catch(() => undefined);
  if (before === undefined) return `Not installed: ${file}`;
  if (!isOurs(before)) throw new CliError(`${file} is another skill with the same name; it was not removed.`);
  await rm(file);
  // only if nothing else is in it
  await rmdir(path.dirname(file)).catch(() => {});
  return `Removed: ${file}`;
}

function isOurs(text: string): boolean {
  return /^name: skein$/m.test(text) && text.includes("# Skein");
}
