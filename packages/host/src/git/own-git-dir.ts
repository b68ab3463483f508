import { randomUUID } from "node:crypto";
import {
  appendFile,
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ExecutionId } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { z } from "zod";
import { readSmallBytes } from "../repository/read-small-file.ts";
import { writeWhole } from "../runner/execution-folder.ts";
import { type BaseAttributes, toOwnAttributes, usesLfs } from "./base-attributes.ts";
import type { RepositoryDirs } from "./find-repository.ts";
import { emptyTree, type GitFolder, runOwnGit, tryOwnGit } from "./git-folder.ts";

/*
 * `<data dir>/git/<attempt or project>/`: our own git dir on top of a repository's objects and refs.
 *
 *   repository.json   paths of the repository, recorded before an agent worked there
 *   base.json         the commit that the index was read from
 *   conflict.json     an update whose conflicts are not resolved yet
 *   config, HEAD      ours
 *   info/             attributes and exclude rules, ours
 *   trees/            recorded trees of executions
 *   index             the base, with the file times of the checkout
 *   objects, refs, packed-refs, reftable, shallow, worktrees   links into the repository
 */

const repositorySchema = z.object({
  directory: z.string(),
  gitDir: z.string(),
  commonDir: z.string(),
  objectFormat: z.enum(["sha1", "sha256"]),
  refFormat: z.enum(["files", "reftable"]),
});

const baseSchema = z.object({
  commit: z.string().nullable(),
  tree: z.string(),
  /** Paths of submodules in the base; one character per byte. */
  submodules: z.array(z.string()),
  /** Whether the base stores files with Git LFS. */
  lfs: z.boolean(),
});
export type Base = z.infer<typeof baseSchema>;

const linked = ["objects", "refs", "packed-refs", "reftable", "shallow", "worktrees"];

/** Creates our git dir for a folder, without an index. */
export async function createOwnGitDir(ownDir: string, dirs: RepositoryDirs): Promise<GitFolder> {
  const { commonDir } = dirs;
  await mkdir(join(ownDir, "info"), { recursive: true, mode: 0o700 });
  // git creates missing folders in a repository, but not through a dangling link
  await mkdir(join(commonDir, "worktrees"), { recursive: true }).catch(() => {
    // a read-only repository can still be read
  });
  for (const name of linked) {
    if (name === "reftable" && dirs.refFormat === "files") continue;
    await rm(join(ownDir, name), { force: true });
    await symlink(join(commonDir, name), join(ownDir, name));
  }
  await writeFile(join(ownDir, "HEAD"), "ref: refs/heads/skein-none\n", { mode: 0o600 });
  await writeFile(join(ownDir, "config"), await toConfig(dirs), { mode: 0o600 });
  await writeFile(join(ownDir, "info/exclude"), await readExclude(commonDir), { mode: 0o600 });
  await writeFile(join(ownDir, "info/attributes"), toOwnAttributes([]), { mode: 0o600 });
  const { directory, gitDir, objectFormat, refFormat } = dirs;
  const folder: GitFolder = { directory, gitDir, commonDir, objectFormat, refFormat, ownDir };
  await adoptUserExcludes(folder);
  writeWhole(join(ownDir, "repository.json"), { directory, gitDir, commonDir, objectFormat, refFormat });
  return folder;
}

/** Adopts the user's global exclude file (`core.excludesFile`), and no other user setting. */
async function adoptUserExcludes(folder: GitFolder): Promise<void> {
  const question = ["config", "--includes", "--type=path", "--get", "core.excludesFile"];
  const path = await tryOwnGit(folder, question, { target: { settings: "user" } });
  if (path === null || path === "") return;
  const quoted = `"${path.replace(/[\\"]/g, "\\$&")}"`;
  await appendFile(join(folder.ownDir, "config"), `[core]\n\texcludesFile = ${quoted}\n`);
}

/** Undefined if it does not exist or belongs to another folder. */
export async function readOwnGitDir(ownDir: string): Promise<GitFolder | undefined> {
  const text = await readFile(join(ownDir, "repository.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : { ...repositorySchema.parse(JSON.parse(text)), ownDir };
}

/**
 * Updates our git dir after its folder was moved. Returns the repository's own git dir for that folder; undefined if ours does not
 * exist or cannot be read.
 */
export async function moveOwnGitDir(ownDir: string, directory: string): Promise<string | undefined> {
  const known = await readOwnGitDir(ownDir).catch(() => undefined);
  if (known === undefined) return undefined;
  const { gitDir, commonDir, objectFormat, refFormat } = known;
  writeWhole(join(ownDir, "repository.json"), { directory, gitDir, commonDir, objectFormat, refFormat });
  return gitDir;
}

/** Deletes the files of our git dir one by one; link targets are not touched (X12). */
export async function removeOwnGitDir(ownDir: string): Promise<void> {
  const files = [
    "repository.json",
    "base.json",
    "conflict.json",
    "operation.json",
    "mirror.json",
    "mirror/HEAD",
    "HEAD",
    "config",
    "index",
    "info/exclude",
    "info/attributes",
    ...linked,
  ];
  const trees = (await readdir(join(ownDir, "trees")).catch(() => [])).map((name) => join("trees", name));
  for (const name of [...files, ...trees]) await rm(join(ownDir, name), { force: true }).catch(() => {});
  for (const name of ["info", "trees", "mirror", ""]) await rmdir(join(ownDir, name)).catch(() => {});
}

const treeSchema = z.object({ tree: z.string(), isExact: z.boolean(), head: z.string().nullish() });
/**
 * `isExact`: nothing changed between the end of the execution and the recording. `head`: the last commit at that time; absent in records
 * of earlier releases.
 */
export type RecordedTree = z.infer<typeof treeSchema>;

/** The end of an execution, or its start. */
export type TreeName = ExecutionId | `${ExecutionId}.start`;

export async function rememberTree({ ownDir }: GitFolder, name: TreeName, tree: RecordedTree): Promise<void> {
  await mkdir(join(ownDir, "trees"), { recursive: true, mode: 0o700 });
  writeWhole(join(ownDir, "trees", name), tree);
}

export async function findTree({ ownDir }: GitFolder, name: TreeName): Promise<RecordedTree | undefined> {
  const text = await readFile(join(ownDir, "trees", name), "utf8").catch(() => undefined);
  return text === undefined ? undefined : treeSchema.parse(JSON.parse(text));
}

/** The base that the index represents; undefined until `readBase` has finished. */
export async function findBase({ ownDir }: GitFolder): Promise<Base | undefined> {
  const text = await readFile(join(ownDir, "base.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : baseSchema.parse(JSON.parse(text));
}

/**
 * Reads the base of an attempt into the index. From now on its attributes apply, whatever the files of the folder contain. With
 * `checkout`, the commit's files are written first. Without `refresh`, the index has no file times.
 */
export async function readBase(
  folder: GitFolder,
  commit: string | null,
  { checkout, refresh = true }: { checkout?: string; refresh?: boolean } = {},
): Promise<Base> {
  const index = join(folder.ownDir, "index");
  const tree = commit === null ? emptyTree(folder) : (await runOwnGit(folder, ["rev-parse", "--verify", `${commit}^{tree}`])).trim();
  const { submodules, attributes } = await readTree(folder, tree);
  await writeFile(join(folder.ownDir, "info/attributes"), toOwnAttributes(attributes), { mode: 0o600 });
  await rm(index, { force: true });
  if (checkout !== undefined) {
    await runOwnGit(folder, ["read-tree", "-m", "-u", checkout], { timeoutMs: checkoutTimeoutMs });
    // for the agent's own git: the same files with the same times
    await copyFile(index, join(folder.gitDir, "index"));
  }
  if (checkout === undefined || checkout !== commit) await runOwnGit(folder, ["read-tree", "-m", tree]);
  if (checkout === undefined && refresh) await refreshIndex(folder);
  // git applies the umask
  await chmod(index, 0o600);
  const base: Base = { commit, tree, submodules, lfs: usesLfs(attributes) };
  writeWhole(join(folder.ownDir, "base.json"), base);
  return base;
}

export const checkoutTimeoutMs = 20 * 60_000;

/** Reads every file once, so that later only modified files are read. */
async function refreshIndex(folder: GitFolder): Promise<void> {
  await runOwnGit(folder, ["update-index", "-q", "--refresh"], { timeoutMs: checkoutTimeoutMs }).catch(() => {
    // it fails if files differ, but has written the index
  });
}

const maxAttributeFiles = 500;

async function readTree(folder: GitFolder, tree: string): Promise<{ submodules: string[]; attributes: BaseAttributes[] }> {
  const submodules: string[] = [];
  const attributeFiles: { folder: string; id: string }[] = [];
  const list = await runOwnGit(folder, ["ls-tree", "-r", "-z", "--full-tree", tree], { encoding: "latin1", maxBytes: 512 * 1024 * 1024 });
  for (const entry of list.split("\0")) {
    const [, mode, id = "", path = ""] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    if (mode === "160000") submodules.push(path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name === ".gitattributes" && mode?.startsWith("100")) attributeFiles.push({ folder: path.slice(0, -name.length), id });
  }
  // parent folders first: in git the nearest file wins
  const known = attributeFiles.slice(0, maxAttributeFiles).toSorted((a, b) => depth(a.folder) - depth(b.folder));
  const texts = await readBlobs(
    folder,
    known.map(({ id }) => id),
  );
  return { submodules, attributes: known.map((file) => ({ folder: file.folder, text: texts.get(file.id) ?? "" })) };
}

/** Contents by id; one character per byte. */
export async function readBlobs(folder: GitFolder, ids: readonly string[]): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  if (ids.length === 0) return contents;
  const output = await runOwnGit(folder, ["cat-file", "--batch"], {
    input: `${ids.join("\n")}\n`,
    encoding: "latin1",
    maxBytes: 512 * 1024 * 1024,
  });
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf("\n", at);
    const [id = "", kind, size] = output.slice(at, end).split(" ");
    if (kind !== "blob") throw new Error(`The repository lacks the object ${id}.`);
    contents.set(id, output.slice(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return contents;
}

function depth(path: string): number {
  return path.split("/").length;
}

/**
 * Copies the folder's `HEAD` to ours, so that both name the same commit. The file is read as text; what it refers to is not
 * followed.
 */
export async function syncHead({ ownDir, gitDir }: GitFolder): Promise<void> {
  const path = join(ownDir, "HEAD");
  const head = await readHead(gitDir);
  if ((await readFile(path, "utf8")) === head) return;
  // by rename: without a HEAD, a concurrent command would not recognise this as a git dir
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, head, { mode: 0o600 });
  await rename(draft, path);
}

async function readHead(gitDir: string): Promise<string> {
  const path = join(gitDir, "HEAD");
  const link = await readlink(path).catch(() => undefined);
  const text = link === undefined ? String(await readSmallBytes(path)) : `ref: ${link}`;
  const [, content] = /^(ref: refs\/[^\0\n]+|[0-9a-f]{40}|[0-9a-f]{64})\n?$/.exec(text) ?? [];
  if (content === undefined) {
    const folder = basename(gitDir) === ".git" ? dirname(gitDir) : gitDir;
    throw new ServiceError("invalid", { code: "not-a-repository", path: folder });
  }
  return `${content}\n`;
}

/** The user's exclude rules, read before an agent works there; later changes are ignored. */
async function readExclude(commonDir: string): Promise<Buffer> {
  const rules = await readSmallBytes(join(commonDir, "info/exclude"));
  return Buffer.isBuffer(rules) ? rules : Buffer.alloc(0);
}

async function toConfig({ objectFormat, refFormat, commonDir }: RepositoryDirs): Promise<string> {
  const extensions = [
    ...(objectFormat === "sha256" ? ["\tobjectFormat = sha256\n"] : []),
    ...(refFormat === "reftable" ? ["\trefStorage = reftable\n"] : []),
  ];
  // if every file is executable, the file system does not support modes
  const head = await lstat(join(commonDir, "HEAD"));
  const isCaseless = process.platform === "darwin" || process.platform === "win32";
  return [
    `[core]\n\trepositoryFormatVersion = ${extensions.length > 0 ? 1 : 0}\n\tbare = false\n`,
    `\tfileMode = ${(head.mode & 0o111) === 0}\n\tignoreCase = ${isCaseless}\n\tprecomposeUnicode = ${process.platform === "darwin"}\n`,
    ...(extensions.length > 0 ? ["[extensions]\n", ...extensions] : []),
  ].join("");
}
