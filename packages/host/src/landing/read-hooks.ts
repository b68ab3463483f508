import { createHash } from "node:crypto";
import { access, constants, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { findLoadedFiles, type LoadedFiles, type LoadingCommand } from "@skein/agents/loaded-files";
import type { RepositoryText } from "@skein/contracts";
import { type GitFolder, tryOwnGit } from "../git/git-folder.ts";
import { readSmallFile } from "../repository/read-small-file.ts";

/** The hooks that a commit or a push runs, in this order. */
const hookNames = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push"] as const;
export type HookName = (typeof hookNames)[number];

/** What git would run with a commit or a push in a folder, read as data. */
export interface ReadHooks {
  hooks: { name: HookName; text: string }[];
  /** `name=value` of the repository's settings, but for those that name no program: hooks that call git make it read them. */
  settings: string[];
  /** Hash of hooks and settings; null if there are no hooks, or they cannot be trusted. */
  hash: string | null;
  /** Files of the folder that the hooks name or load. */
  loaded: LoadedFiles;
  /** Why they cannot be trusted. */
  problem?: RepositoryText;
}

/** Reads the hooks and what they load. Runs nothing of the repository. */
export async function readHooks(folder: GitFolder): Promise<ReadHooks> {
  const { directory } = folder;
  const found: { name: HookName; path: string; text: string }[] = [];
  const nothing = { hooks: [], settings: [], hash: null, loaded: { files: {} } };
  for (const name of hookNames) {
    const path = await findHook(folder, name);
    if (path === undefined) continue;
    const text = await readSmallFile(path);
    if (text === undefined) continue;
    if (typeof text === "object")
      return { ...nothing, hooks: [{ name, text: "" }], problem: { code: "hook-untrustable", hook: name, reason: text.problem } };
    found.push({ name, path, text });
  }
  if (found.length === 0) return nothing;
  const hooks = found.map(({ name, text }) => ({ name, text }));
  const settings = await listSettings(folder);
  const loaded = await findLoadedFiles(
    directory,
    found.flatMap((hook) => toCommands(directory, hook)),
  );
  if (settings.some((setting) => /^include(if)?\./i.test(setting))) {
    return { ...nothing, hooks, settings, loaded, problem: { code: "git-settings-included" } };
  }
  const hash = createHash("sha256")
    .update(JSON.stringify([hooks, settings]))
    .digest("hex");
  const { problem } = loaded;
  if (problem !== undefined) return { hooks, settings, hash: null, loaded, problem: { code: "hooks-untrustable", reason: problem } };
  return { hooks, settings, hash, loaded };
}

/** The program of a hook, links resolved; undefined if git would run none. */
export async function findHook(folder: GitFolder, name: HookName): Promise<string | undefined> {
  const path = join(await findHooksFolder(folder), name);
  try {
    const real = await realpath(path);
    if (!(await stat(real)).isFile()) return undefined;
    await access(real, constants.X_OK);
    return real;
  } catch {
    return undefined;
  }
}

/** As git finds it: the repository's own setting, the user's, or `hooks` of the repository. */
async function findHooksFolder(folder: GitFolder): Promise<string> {
  const file = join(folder.commonDir, "config");
  const question = ["--type=path", "--get", "core.hooksPath"];
  const own = await tryOwnGit(folder, ["config", "--file", file, "--no-includes", ...question]);
  const path = own || (await tryOwnGit(folder, ["config", "--global", "--includes", ...question], { target: { settings: "user" } }));
  return path ? resolve(folder.directory, path) : join(folder.commonDir, "hooks");
}

/** Settings that say where things are and who commits name no program, and change all the time. Keys are matched whole: a part may contain `=`. */
const harmless =
  /^(?:branch\..*|user\.(?:name|email)|remote\..*\.fetch|core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode))$/is;
/** A repository on this machine runs its own hooks when a hook pushes to it. */
const onServer = /^(?:(?:https?|ssh|git):\/\/|[\w.-]+@[\w.-]+:)/i;

function isHarmless(entry: string): boolean {
  const [key = "", ...lines] = entry.split("\n");
  return harmless.test(key) || (/^remote\..*\.(?:url|pushurl)$/is.test(key) && onServer.test(lines.join("\n")));
}

async function listSettings(folder: GitFolder): Promise<string[]> {
  const files = [join(folder.commonDir, "config"), join(folder.gitDir, "config.worktree")];
  const entries: string[] = [];
  for (const file of files) {
    const list = await tryOwnGit(folder, ["config", "--file", file, "--no-includes", "--list", "-z"]);
    entries.push(...(list ?? "").split("\0").filter((entry) => entry !== ""));
  }
  return [...new Set(entries.filter((entry) => !isHarmless(entry)).map((entry) => entry.replace("\n", "=")))].toSorted();
}

/** A hook of the folder itself is a file that trust covers. One of husky calls the file of the same name above its folder. */
function toCommands(directory: string, { name, path, text }: { name: HookName; path: string; text: string }): LoadingCommand[] {
  const inside = relative(directory, path);
  if (inside.startsWith("..") || isAbsolute(inside)) return [{ script: text }];
  return [{ words: ["sh", inside] }, { words: ["sh", join(inside, "../..", name)] }];
}
