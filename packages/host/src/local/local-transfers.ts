import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { executionIdSchema } from "@skein/contracts";
import { ServiceError, toSlug } from "@skein/engine";
import { carryTree } from "../git/carry-changes.ts";
import { findForkCommits, findPoint, withoutMarks } from "../git/execution-point.ts";
import { keepTree } from "../git/execution-trees.ts";
import { fetchRemote, toFetchAddress } from "../git/fetch-remote.ts";
import { emptyTree, type GitFolder, runOwnGit, tryOwnGit } from "../git/git-folder.ts";
import { findMirror, removeMirrorRefs, writeMirror, writeMirrorRefs } from "../git/mirror.ts";
import { findTree, removeOwnGitDir, type TreeName } from "../git/own-git-dir.ts";
import { assertComplete, findMissing, listTips, readPack, storePack } from "../git/packs.ts";
import { readDiff } from "../git/read-diff.ts";
import { resolveBase, resolveHead } from "../git/resolve-base.ts";
import { runGit } from "../git/run-git.ts";
import { removeWorktree, reserveBranch, restoreWorktree } from "../git/worktrees.ts";
import { treeOf, writeFolderTree } from "../landing/folder-tree.ts";
import { readBranch } from "../landing/git-operation.ts";
import { readIdentity } from "../landing/identity.ts";
import { findCheckout } from "../landing/land-branch.ts";
import { chooseRemote } from "../landing/remotes.ts";
import { listSafetyRefs } from "../landing/safety-refs.ts";
import type { AttemptWork, Transfers } from "../port/transfers.ts";
import type { AttemptFolder, NewAttemptFolder } from "../port/workspaces.ts";
import { readCarriedFiles, writeCarriedFiles } from "../repository/copy-files.ts";
import type { Creations } from "./creations.ts";
import type { DataFolders } from "./data-folders.ts";
import type { GitFolders } from "./git-folders.ts";

export function createLocalTransfers(input: { folders: DataFolders; gitFolders: GitFolders; creations: Creations }): Transfers {
  const { folders, gitFolders, creations } = input;
  const root = folders.worktrees;

  /** Where a new attempt starts: a base, or another attempt, whose folder may be on another host. */
  async function findStart({ baseBranch, source, sourcePoint }: NewAttemptFolder, repository: GitFolder) {
    if (source === undefined) {
      const base = await resolveBase(repository, baseBranch);
      return { base, commit: base.commit, tree: null };
    }
    const { baseCommit } = source;
    const from = await gitFolders.ofAttempt(source);
    if (sourcePoint === undefined) {
      const base = { branch: source.baseBranch, commit: baseCommit };
      if ((await findMirror(from)) === undefined) await restoreWorktree({ ...source, repository, ownDir: gitFolders.ownDir(source.id) });
      return { base, commit: await resolveHead(from), tree: await writeFolderTree(from, baseCommit) };
    }
    // the folder itself may be gone: what it held is in the repository
    const folder = { ...from, directory: repository.directory };
    const point = await findPoint(folder, { ...sourcePoint, baseCommit });
    if (point === undefined) throw new ServiceError("conflict", { code: "not-recorded" });
    const fork = await findForkCommits(folder, { head: point.head, baseCommit });
    return { base: { branch: source.baseBranch, commit: fork.baseCommit }, commit: fork.commit, tree: point.tree };
  }

  async function readWork(attempt: AttemptFolder): Promise<AttemptWork | null> {
    const folder = await gitFolders.ofAttempt(attempt);
    const { ref, commit: head } = await readBranch(folder);
    if (ref === null || head === null) return null;
    const refs = await listSafetyRefs(folder, attempt.id);
    const recorded = await listRecorded(folder);
    // a commit that was rebased may be gone
    const gone = new Set(
      await findMissing(
        folder,
        recorded.flatMap(({ head: last }) => last ?? []),
      ),
    );
    return {
      branch: ref.replace("refs/heads/", ""),
      head,
      tree: await writeFolderTree(folder, attempt.baseCommit),
      recorded: recorded.map((one) => (one.head !== null && gone.has(one.head) ? { ...one, head: null } : one)),
      safetyRefs: refs.map(({ ref: name, commit }) => ({ ref: name, commit })),
    };
  }

  /** Refs and records of an attempt's work. */
  async function keepWork(folder: GitFolder, attemptId: string, { recorded, safetyRefs }: AttemptWork): Promise<void> {
    for (const { name, ...tree } of recorded) {
      const found = toTreeName(name);
      if (found !== undefined) await keepTree(folder, found, tree);
    }
    const own = safetyRefs.filter(({ ref }) => ref.startsWith(`refs/skein/safety/${attemptId}/`));
    if (own.length === 0) return;
    await runOwnGit(folder, ["update-ref", "--stdin"], { input: own.map(({ ref, commit }) => `update ${ref} ${commit}\n`).join("") });
  }

  async function reserve(wanted: NewAttemptFolder) {
    const { id, project, taskTitle, number, hostId } = wanted;
    const repository = await gitFolders.ofProject(project);
    const { base, commit, tree } = await findStart(wanted, repository);
    const place = hostId === undefined ? {} : { hostId };
    if (commit === null) throw new ServiceError("invalid", { code: "no-commit" });
    const onName = (branch: string) => creations.note({ id, project, directory: null, branch, commit, ...place });
    const branch = await reserveBranch({ repository, taskTitle, number, commit, onName });
    const folderName = `${toSlug(taskTitle)}-${number}-${id.slice(-6)}`;
    return { branch, base, commit, tree: tree === (await treeOf(repository, commit)) ? null : tree, folderName };
  }

  async function adopt({ id, project, baseCommit, folderName, work }: Parameters<Transfers["adopt"]>[0]) {
    const repository = await gitFolders.ofProject(project);
    const ownDir = gitFolders.ownDir(id);
    const { branch, head, tree } = work;
    await assertComplete(repository, [head, tree, ...listObjects(work)]);
    const directory = join(root, basename(folderName));
    const reserved = (await creations.find(id))?.branch;
    const isNew =
      reserved === branch || (await tryOwnGit(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])) === null;
    creations.note({ id, project, directory, branch: isNew ? branch : null, commit: head });
    await runOwnGit(repository, ["update-ref", `refs/heads/${branch}`, head]);
    // a mirror of it, or what an earlier move left
    await removeOwnGitDir(ownDir);
    await mkdir(root, { recursive: true, mode: 0o700 });
    await restoreWorktree({ repository, directory, ownDir, branch, baseCommit });
    try {
      const folder = await gitFolders.ofAttempt({ id, project, isolation: "worktree", directory, branch, baseCommit });
      const files = await withoutMarks(folder, await treeOf(folder, tree));
      if (files !== (await treeOf(folder, head))) await carryTree({ to: folder, commit: head, tree: files, baseCommit });
      await keepWork(folder, id, work);
      await removeMirrorRefs(repository, id);
      return { directory: folder.directory };
    } catch (error) {
      await removeWorktree({ repository, root, directory, branch: null, baseCommit }).catch(() => {});
      await removeOwnGitDir(ownDir);
      throw error;
    }
  }

  return {
    async listTips(project) {
      const repository = await gitFolders.ofProject(project).catch(() => undefined);
      return repository === undefined ? [] : listTips(repository);
    },
    async findMissing({ project, ids }) {
      const repository = await gitFolders.ofProject(project).catch(() => undefined);
      return repository === undefined ? [...ids] : findMissing(repository, ids);
    },
    async *readPack({ project, wants, haves }) {
      yield* readPack(await gitFolders.ofProject(project), { wants, haves });
    },
    async storePack({ project, objectFormat, pack }) {
      const known = await gitFolders.ofProject(project).catch(() => undefined);
      if (known === undefined) await createRepository(project.path, objectFormat);
      await storePack(known ?? (await gitFolders.ofProject(project)), pack);
    },
    async findRemote(project) {
      const repository = await gitFolders.ofProject(project);
      const remote = await chooseRemote(repository, { baseBranch: null, use: "fetch" }).catch(() => undefined);
      return (remote && toFetchAddress(remote.url)) ?? null;
    },
    async *fetchRemote({ project, objectFormat, url }) {
      const address = toFetchAddress(url);
      if (address === undefined) throw new Error(`${url} is not the address of a remote.`);
      const known = await gitFolders.ofProject(project).catch(() => undefined);
      if (known === undefined) await createRepository(project.path, objectFormat);
      yield* fetchRemote(known ?? (await gitFolders.ofProject(project)), address);
    },
    async readIdentity(project) {
      return readIdentity(await gitFolders.ofProject(project)).catch(() => null);
    },
    async setRefs({ project, refs, identity }) {
      const repository = await gitFolders.ofProject(project);
      const commits = refs.map(({ commit }) => commit);
      await assertComplete(repository, commits);
      const input = refs.map(({ ref, commit }) => `update ${toBaseRef(ref)} ${commit}\n`).join("");
      if (refs.length > 0) await runOwnGit(repository, ["update-ref", "--stdin"], { input });
      const file = join(repository.commonDir, "config");
      for (const [key, value] of Object.entries(identity ?? {}))
        await runOwnGit(repository, ["config", "--file", file, `user.${key}`, value]);
    },

    readWork,
    reserve: (wanted) => creations.during(wanted.id, () => reserve(wanted)),
    adopt: (wanted) => creations.during(wanted.id, () => adopt(wanted)),

    async saveMirror({ attempt, work }) {
      const repository = await gitFolders.ofProject(attempt.project);
      const { branch, head, tree } = work;
      await assertComplete(repository, [head, tree, ...listObjects(work)]);
      await writeMirrorRefs(repository, attempt.id, work);
      // the user may have it checked out
      if ((await findCheckout(repository, branch)) === undefined) await runOwnGit(repository, ["update-ref", `refs/heads/${branch}`, head]);
      const safetyRefs = [...work.safetyRefs];
      const folder = await writeMirror(repository, gitFolders.ownDir(attempt.id), { branch, head, tree, safetyRefs });
      await keepWork(folder, attempt.id, work);
    },
    async readMirror(attempt) {
      const ownDir = gitFolders.ownDir(attempt.id);
      const mirror = await findMirror({ ownDir });
      return mirror === undefined ? null : { ...mirror, recorded: await listRecorded(await gitFolders.ofAttempt(attempt)) };
    },
    async diffMirror(attempt) {
      const folder = await gitFolders.ofAttempt(attempt);
      const { baseCommit } = attempt;
      const from = baseCommit === null ? emptyTree(folder) : `${baseCommit}^{tree}`;
      const to = await writeFolderTree(folder, baseCommit);
      return { baseCommit, ...(await readDiff(folder, ["diff-tree", "-r"], [from, to])), approximate: true };
    },

    readFiles: readCarriedFiles,
    writeFiles: writeCarriedFiles,
  };
}

/** Objects that refs and records of the work name. */
function listObjects({ recorded, safetyRefs }: AttemptWork): string[] {
  return [...recorded.flatMap(({ tree, head }) => (head === null ? [tree] : [tree, head])), ...safetyRefs.map(({ commit }) => commit)];
}

async function listRecorded(folder: GitFolder): Promise<AttemptWork["recorded"][number][]> {
  const recorded: AttemptWork["recorded"][number][] = [];
  for (const name of await readdir(join(folder.ownDir, "trees")).catch(() => [])) {
    const found = toTreeName(name);
    const tree = found && (await findTree(folder, found));
    if (tree !== undefined) recorded.push({ name, tree: tree.tree, isExact: tree.isExact, head: tree.head ?? null });
  }
  return recorded;
}

function toTreeName(name: string): TreeName | undefined {
  const id = executionIdSchema.safeParse(name.replace(/\.start$/, "")).data;
  return id === undefined ? undefined : name.endsWith(".start") ? `${id}.start` : id;
}

/** Branches that attempts start from; never one of an attempt. */
function toBaseRef(ref: string): string {
  if (/^refs\/(?:heads|remotes)\/[^\s:?*[\\^~]+$/.test(ref) && !ref.includes("..")) return ref;
  throw new Error(`${ref} is not a branch.`);
}

/** Without templates, and with a HEAD that is no branch, so that all branches can be moved. */
async function createRepository(path: string, objectFormat: "sha1" | "sha256"): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await runGit(["init", "--quiet", "--template=", `--object-format=${objectFormat}`, "--initial-branch=skein-none", "--", path], {
    cwd: path,
  });
}
