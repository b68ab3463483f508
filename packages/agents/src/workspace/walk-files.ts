import { constants } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import ignore, { type Ignore } from "ignore";
import type { Workspace, WorkspacePath } from "./workspace.ts";

/** A file that `walkFiles` found. */
export interface WalkedFile {
  absolute: string;
  relative: string;
}

interface IgnoreRules {
  /** The folder whose .gitignore it is, relative to the root; empty for the root. */
  base: string;
  rules: Ignore;
}

/** Files below a folder, sorted by name, without `.git` and files that .gitignore excludes. Does not follow symlinks. */
export async function* walkFiles(workspace: Workspace, start: WorkspacePath, signal: AbortSignal): AsyncGenerator<WalkedFile> {
  const prefix = start.relative === "." ? "" : start.relative;
  const inherited: IgnoreRules[] = [];
  const above = prefix === "" ? [] : ["", ...prefix.split("/").map((_, index, all) => all.slice(0, index + 1).join("/"))].slice(0, -1);
  for (const base of above) {
    const directory = await workspace.openDirectory(join(workspace.root, base)).catch(() => undefined);
    const rules = directory && (await readRules(directory.path, base).finally(() => directory.close()));
    if (rules !== undefined) inherited.push(rules);
  }
  yield* walk(workspace, start.absolute, prefix, inherited, signal);
}

async function* walk(
  workspace: Workspace,
  absolute: string,
  prefix: string,
  inherited: readonly IgnoreRules[],
  signal: AbortSignal,
): AsyncGenerator<WalkedFile> {
  signal.throwIfAborted();
  const directory = await workspace.openDirectory(absolute).catch(() => undefined);
  if (directory === undefined) return;
  let entries: { name: string; isDirectory: boolean; isFile: boolean }[];
  let own: IgnoreRules | undefined;
  try {
    const found = await readdir(directory.path, { withFileTypes: true });
    entries = found.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory(), isFile: entry.isFile() }));
    own = entries.some((entry) => entry.name === ".gitignore" && entry.isFile) ? await readRules(directory.path, prefix) : undefined;
  } finally {
    await directory.close();
  }
  const rules = own === undefined ? inherited : [...inherited, own];
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name === ".git") continue;
    const relative = posix.join(prefix, entry.name);
    if (isIgnored(rules, entry.isDirectory ? `${relative}/` : relative)) continue;
    if (entry.isDirectory) yield* walk(workspace, join(absolute, entry.name), relative, rules, signal);
    else if (entry.isFile) yield { absolute: join(absolute, entry.name), relative };
  }
}

/** Neither a link to elsewhere nor a pipe without a writer. */
const ruleFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function readRules(folder: string, base: string): Promise<IgnoreRules | undefined> {
  const text = await readFile(join(folder, ".gitignore"), { encoding: "utf8", flag: ruleFlags }).catch(() => undefined);
  return text === undefined ? undefined : { base, rules: ignore().add(text) };
}

/** As in git, the nearest .gitignore with a matching rule decides. */
function isIgnored(all: readonly IgnoreRules[], relative: string): boolean {
  for (const { base, rules } of all.toReversed()) {
    const verdict = rules.test(base === "" ? relative : relative.slice(base.length + 1));
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
