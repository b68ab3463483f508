import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { findLoadedFiles, type LoadingCommand } from "@skein/agents/loaded-files";
import type { RepositoryText } from "@skein/contracts";
import { listSettingCommands } from "./list-setting-commands.ts";
import { readSmallBytes } from "./read-small-file.ts";

/** Paths where agents look for settings that can name programs, hooks and servers. */
const places = [
  { folder: "", pick: /^(\.mcp\.json|opencode\.json.*)$/, deep: false },
  { folder: ".claude", pick: /^settings.*\.json$/, deep: false },
  // each may define its own hooks
  { folder: ".claude/agents", pick: /./, deep: true },
  { folder: ".claude/commands", pick: /./, deep: true },
  { folder: ".claude/skills", pick: /./, deep: true },
  { folder: ".gemini", pick: /./, deep: true },
  { folder: ".codex", pick: /./, deep: true },
  { folder: ".opencode", pick: /./, deep: true },
] as const;

const mostFiles = 2000;

/** Settings of agents in a repository, with what they load. */
export interface ReadAgentSettings {
  /** The settings files, and the files that they name or load; sorted. */
  files: string[];
  /** The files that agents look up by name. */
  settings: string[];
  /** Null if there are none or they cannot be read; then nothing can be trusted. */
  hash: string | null;
  /** Hash of each file. */
  hashes: Readonly<Record<string, string>>;
  /** Why they cannot be trusted. */
  problem?: RepositoryText;
}

/** Hashes the bytes of every file. A link cannot be trusted, because its target can change unnoticed. */
export async function readAgentSettings(directory: string): Promise<ReadAgentSettings> {
  const files: string[] = [];
  const links: string[] = [];
  for (const { folder, pick, deep } of places) {
    if (folder !== "" && (await isLink(join(directory, folder)))) links.push(folder);
    else await collect(folder, pick, deep);
  }
  files.sort();
  const unreadable = { files: files.slice(0, mostFiles), settings: files.slice(0, mostFiles), hash: null, hashes: {} };
  if (files.length + links.length === 0) return unreadable;
  const [link] = links;
  if (link !== undefined) return { ...unreadable, problem: { code: "settings-link", path: link } };
  if (files.length > mostFiles) return { ...unreadable, problem: { code: "settings-too-many", max: mostFiles } };
  const own: [string, string][] = [];
  const commands: LoadingCommand[] = [];
  for (const file of files) {
    const bytes = await readSmallBytes(join(directory, file));
    if (!Buffer.isBuffer(bytes)) {
      const reason = bytes?.problem ?? { code: "file-missing" };
      return { ...unreadable, problem: { code: "settings-file-untrustable", path: file, reason } };
    }
    own.push([file, createHash("sha256").update(bytes).digest("hex")]);
    commands.push(...listSettingCommands(file, bytes.toString("utf8")));
  }
  const loaded = await findLoadedFiles(directory, commands);
  if (loaded.problem !== undefined) return { ...unreadable, problem: { code: "settings-untrustable", reason: loaded.problem } };
  const hashes = Object.fromEntries(Object.entries({ ...loaded.files, ...Object.fromEntries(own) }).sort(([a], [b]) => (a < b ? -1 : 1)));
  const hash = createHash("sha256")
    .update(JSON.stringify(Object.entries(hashes)))
    .digest("hex");
  return { files: Object.keys(hashes), settings: files, hash, hashes };

  async function collect(folder: string, pick: RegExp, deep: boolean): Promise<void> {
    for (const entry of await list(join(directory, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (files.length > mostFiles) return;
      if (entry.isDirectory()) {
        if (deep) await collect(path, pick, deep);
      } else if (pick.test(entry.name)) {
        (entry.isSymbolicLink() ? links : files).push(path);
      }
    }
  }
}

async function list(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
}
