import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { access, constants, lstat, readdir } from "node:fs/promises";
import { toFsPath } from "./byte-path.ts";
import type { GitTarget } from "./git-environment.ts";
import { type GitFolder, runOwnGit } from "./git-folder.ts";
import { isStoredByLfs } from "./lfs-pointer.ts";
import { listStagedFiles } from "./list-staged-files.ts";
import { type Base, findBase, readBase } from "./own-git-dir.ts";
import { readLfsPointers } from "./read-lfs-pointers.ts";
import { type Scratch, withScratch } from "./scratch.ts";

/*
 * The current content of a folder as an index: a copy of our index of the base, updated with everything that differs. The agent's own
 * index, which can hide changes, is never read.
 *
 * Paths whose content is not read appear as submodule entries, whose objects need not exist. The object id encodes the reason.
 */

/** Larger files are not copied into a snapshot for a diff. */
const maxFileBytes = 10 * 1024 * 1024;
const maxListBytes = 512 * 1024 * 1024;
const atOnce = 200;

/** Why the content of a path is not in a snapshot. */
export type Unread = "nested" | "too-large" | "unreadable" | "special";

const marks: Record<Unread, string> = {
  nested: "736b65696e206e6573746564",
  "too-large": "736b65696e206c61726765",
  unreadable: "736b65696e20636c6f736564",
  special: "736b65696e207370656369616c",
};

/** Undefined if the id is the commit of a real submodule. */
export function findMark(id: string): Unread | undefined {
  return (Object.keys(marks) as Unread[]).find((kind) => id.startsWith(marks[kind]));
}

export interface Snapshot {
  readonly base: Base;
  /** Nothing differs from the base. */
  readonly isBase: boolean;
  /** Paths of nested repositories; one character per byte. */
  readonly nested: readonly string[];
  /** For further git commands on this snapshot. */
  readonly target: Pick<GitTarget, "index" | "scratchObjects">;
}

export interface SnapshotOptions {
  baseCommit: string | null;
  /** Whether new objects are kept in the repository or discarded. */
  objects: "keep" | "discard";
  /** `all` includes large files. */
  files?: "readable" | "all";
}

/** Calls `work` with an index of the folder's current content. */
export async function withSnapshot<T>(
  folder: GitFolder,
  { baseCommit, objects, files = "readable" }: SnapshotOptions,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const base = await openBase(folder, baseCommit);
  return withScratch(folder, async (scratch) => {
    const target = objects === "keep" ? { index: scratch.index } : scratch.target;
    const changed = await listChanged(folder, scratch);
    if (base.lfs) for (const path of await listStoredByLfs(folder, scratch, changed.updated)) changed.updated.delete(path);
    const nested = [...changed.nested, ...(await listPopulated(folder, base.submodules))];
    const { paths, replaced, unread } = await classifyPaths(folder, changed, {
      submodules: new Set(base.submodules),
      takesAll: files === "all",
    });
    if (paths.length > 0) {
      const add = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
      await runOwnGit(folder, add, { target, input: `${paths.join("\0")}\0`, encoding: "latin1" });
    }
    const length = folder.objectFormat === "sha256" ? 64 : 40;
    const marked: Marked[] = files === "all" ? [] : [...changed.nested.map((path) => [path, "nested", ""] as const), ...unread];
    const lines = [
      ...replaced.map((path) => `0 ${"0".repeat(length)}\t${path}\0`),
      ...marked.map(([path, kind, facts]) => `160000 ${toMarkId(kind, facts, length)}\t${path}\0`),
    ];
    if (lines.length > 0) {
      const mark = ["update-index", "--add", "--replace", "-z", "--index-info"];
      await runOwnGit(folder, mark, { target, input: lines.join(""), encoding: "latin1" });
    }
    const isBase = paths.length === 0 && lines.length === 0;
    return work({ base, isBase, nested, target });
  });
}

const reading = new Map<string, Promise<Base>>();

/** Returns the base of our index; reads it first if that has not happened, or was for another commit. */
export async function openBase(folder: GitFolder, commit: string | null, options: { refresh?: boolean } = {}): Promise<Base> {
  await reading.get(folder.ownDir)?.catch(() => {});
  const known = await findBase(folder);
  if (known !== undefined && known.commit === commit) return known;
  const base = (reading.get(folder.ownDir) ?? readBase(folder, commit, options)).finally(() => reading.delete(folder.ownDir));
  reading.set(folder.ownDir, base);
  return base;
}

interface Changed {
  /** Paths that are not in the base. */
  created: ReadonlySet<string>;
  /** Paths of the base that were changed or removed. */
  updated: Set<string>;
  nested: readonly string[];
}

async function listChanged(folder: GitFolder, { index }: Scratch): Promise<Changed> {
  const which = ["ls-files", "-t", "--others", "--modified", "--deleted", "--exclude-standard", "-z"];
  const output = await runOwnGit(folder, which, { target: { index }, encoding: "latin1", maxBytes: maxListBytes });
  const created = new Set<string>();
  const updated = new Set<string>();
  const nested: string[] = [];
  for (const entry of output.split("\0")) {
    if (entry === "") continue;
    const path = entry.slice(2);
    if (!entry.startsWith("? ")) updated.add(path);
    // a listed folder is a nested repository
    else if (path.endsWith("/")) nested.push(path.slice(0, -1));
    else created.add(path);
  }
  return { created, updated, nested };
}

/** Files whose content matches the LFS pointer in the base, which are therefore unchanged. */
async function listStoredByLfs(folder: GitFolder, { index }: Scratch, paths: ReadonlySet<string>): Promise<string[]> {
  if (paths.size === 0) return [];
  const ids = [...(await listStagedFiles(folder, index))].filter(([path]) => paths.has(path));
  const pointers = await readLfsPointers(
    folder,
    ids.map(([, id]) => id),
  );
  const stored: string[] = [];
  for (const [path, id] of ids) {
    const pointer = pointers.get(id);
    if (pointer !== undefined && (await isStoredByLfs(folder.directory, path, pointer))) stored.push(path);
  }
  return stored;
}

/** Submodules with a non-empty folder: git does not list their files. */
async function listPopulated({ directory }: GitFolder, submodules: readonly string[]): Promise<string[]> {
  const populated: string[] = [];
  for (const path of submodules) {
    const found = await lstat(toFsPath(directory, path)).catch(() => undefined);
    if (found?.isDirectory() !== true) continue;
    const inside = await readdir(toFsPath(directory, path)).catch(() => ["?"]);
    if (inside.length > 0) populated.push(path);
  }
  return populated;
}

type Marked = readonly [path: string, kind: Unread, facts: string];

interface SortedOut {
  /** Files that git can read, and removed ones. */
  paths: string[];
  /** Files that became folders. */
  replaced: string[];
  /** Paths that are only marked. */
  unread: Marked[];
}

/** Classifies changed paths. A path below a file or a link counts as removed. */
async function classifyPaths(
  folder: GitFolder,
  changed: Changed,
  { submodules, takesAll }: { submodules: ReadonlySet<string>; takesAll: boolean },
): Promise<SortedOut> {
  const paths: string[] = [];
  const replaced: string[] = [];
  const unread: Marked[] = [];
  const candidates = [...changed.created, ...[...changed.updated].filter((path) => !hasAncestorIn(path, changed.created))];
  for (let from = 0; from < candidates.length; from += atOnce) {
    const some = candidates.slice(from, from + atOnce);
    const found = await Promise.all(some.map((path) => look(folder.directory, path)));
    for (const [at, path] of some.entries()) {
      const { stats, isReadable } = found[at] ?? {};
      const kind = stats === undefined ? undefined : classifyFile(stats, isReadable ?? false, takesAll);
      if (stats?.isDirectory() && !submodules.has(path)) replaced.push(path);
      else if (kind === undefined) paths.push(path);
      else if (stats !== undefined) unread.push([path, kind, `${stats.size} ${stats.mtimeMs} ${stats.ino}`]);
    }
  }
  return { paths, replaced, unread };
}

function hasAncestorIn(path: string, paths: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) if (paths.has(path.slice(0, end))) return true;
  return false;
}

async function look(directory: string, bytePath: string): Promise<{ stats?: Stats; isReadable: boolean }> {
  const path = toFsPath(directory, bytePath);
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return { isReadable: false };
  const isReadable =
    !stats.isFile() ||
    (await access(path, constants.R_OK).then(
      () => true,
      () => false,
    ));
  return { stats, isReadable };
}

/** Undefined if git can read it. Reading a pipe would block git until something writes to it. */
function classifyFile(stats: Stats, isReadable: boolean, takesAll: boolean): Unread | undefined {
  if (stats.isSymbolicLink() || stats.isDirectory()) return undefined;
  if (!stats.isFile()) return "special";
  if (!isReadable) return "unreadable";
  return stats.size > maxFileBytes && !takesAll ? "too-large" : undefined;
}

function toMarkId(kind: Unread, facts: string, length: number): string {
  const mark = marks[kind];
  const rest = createHash("sha256").update(facts).digest("hex");
  return (mark + (facts === "" ? "0".repeat(length) : rest)).slice(0, length);
}
