import type { AttemptId, GitConflict, Landing, UpdatedAttemptBase } from "@skein/contracts";
import { type GitFolder, runOwnGit } from "../git/git-folder.ts";
import { readBlobs } from "../git/own-git-dir.ts";
import { assertUnlocked } from "./agent-index.ts";
import { countCommits, findShared, isAncestor, type SharedPart } from "./commit-graph.ts";
import { type ConflictState, readConflict, toConflict } from "./conflict-state.ts";
import { assertCommitted, fromBytePath, treeOf } from "./folder-tree.ts";
import { GitObstacleError, refuseLfs } from "./git-obstacle.ts";
import { findRef, readBranch, runOperation } from "./git-operation.ts";
import { type GitIdentity, readIdentity, writeCommit } from "./identity.ts";
import { type ConflictingFile, type MergedTrees, mergeCommits, mergeTrees } from "./merge-trees.ts";
import { writeSafetyRef } from "./safety-refs.ts";

export interface UpdateInput {
  folder: GitFolder;
  attemptId: AttemptId;
  baseBranch: string | null;
  baseCommit: string | null;
  method: "rebase" | "merge";
  /** Where the attempt was landed before: those commits are not applied again. */
  landing?: Landing | null;
  now: number;
}

/**
 * Brings the attempt's branch up to its base branch. Everything is computed from objects first; the branch and the files change
 * afterwards, together. With a conflict, the files have marks, and the branch stays until the conflict is resolved.
 */
export async function updateBranch(input: UpdateInput): Promise<UpdatedAttemptBase> {
  const { folder, attemptId, baseCommit, method, now } = input;
  assertUnlocked(folder);
  if (await readConflict(folder)) throw new GitObstacleError({ code: "in-conflict" });
  const { ref, commit: head } = await getBranch(folder);
  const onto = await getBaseTip(folder, input.baseBranch);
  if (await isAncestor(folder, onto, head)) return { outcome: "up-to-date" };
  await refuseLfs(folder, baseCommit);
  const current = await assertCommitted(folder, baseCommit, head);
  const committer = await readIdentity(folder);
  const { safetyRef } = await writeSafetyRef({ folder, attemptId, baseCommit, before: "update", now });

  const operation = { attemptId, baseCommit, landing: null } as const;
  const shared = await findShared(folder, { landing: input.landing ?? null, baseCommit, head, tip: onto });
  const start = { method, onto, baseBranch: input.baseBranch ?? "", head, startedAt: now, safetyRef };
  const result =
    method === "merge"
      ? await mergeBase(folder, { head, onto, shared, baseBranch: start.baseBranch, committer })
      : await replay(folder, { tip: onto, todo: await listCommits(folder, { onto, head, shared }), committer });
  if (result.kind === "conflict") {
    const conflict: ConflictState = { ...start, ...result.state };
    await runOperation(folder, {
      ...operation,
      kind: "update",
      refs: [],
      files: { from: current, to: result.tree },
      index: null,
      conflict,
    });
    return { outcome: "conflict", conflict: await toConflict(folder, conflict), safetyRef };
  }
  await runOperation(folder, {
    ...{ ...operation, kind: "update" as const, refs: [{ ref, from: head, to: result.commit }] },
    ...{ files: { from: current, to: await treeOf(folder, result.commit) }, index: { commit: result.commit, from: null } },
  });
  return { outcome: "updated", head: result.commit, commits: await countCommits(folder, onto, result.commit), safetyRef };
}

export type Replayed =
  | { kind: "done"; commit: string }
  | { kind: "conflict"; tree: string; state: Pick<ConflictState, "tip" | "applying" | "todo" | "files"> };

async function mergeBase(
  folder: GitFolder,
  input: { head: string; onto: string; shared: SharedPart | undefined; baseBranch: string; committer: GitIdentity },
): Promise<Replayed> {
  const { head, onto, shared, committer } = input;
  const merged = await mergeCommits(folder, { ours: head, theirs: onto, base: shared?.head });
  if (merged.conflicts.length > 0) {
    return {
      kind: "conflict",
      tree: merged.tree,
      state: { tip: head, applying: null, todo: [], files: await describeFiles(folder, merged) },
    };
  }
  const message = `Merge branch '${input.baseBranch}'\n`;
  return { kind: "done", commit: await writeCommit(folder, { tree: merged.tree, parents: [head, onto], message, committer }) };
}

/** Applies commits one after another on top of `tip`. Those that change nothing there are left out. */
export async function replay(
  folder: GitFolder,
  input: { tip: string; todo: readonly string[]; committer: GitIdentity },
): Promise<Replayed> {
  let { tip } = input;
  for (const [at, commit] of input.todo.entries()) {
    const original = await readCommit(folder, commit);
    const ours = await treeOf(folder, tip);
    const merged = await mergeTrees(folder, { base: await treeOf(folder, `${commit}^`), ours, theirs: await treeOf(folder, commit) });
    if (merged.conflicts.length > 0) {
      const applying = { commit, subject: original.subject };
      const state = { tip, applying, todo: input.todo.slice(at + 1), files: await describeFiles(folder, merged) };
      return { kind: "conflict", tree: merged.tree, state };
    }
    if (merged.tree !== ours) tip = await copyCommit(folder, { original, tree: merged.tree, parent: tip, committer: input.committer });
  }
  return { kind: "done", commit: tip };
}

export interface OriginalCommit {
  message: string;
  subject: string;
  author: GitIdentity & { date: string };
}

export async function readCommit(folder: GitFolder, commit: string): Promise<OriginalCommit> {
  const format = ["%an", "%ae", "%ad", "%s", "%B"].join("%x00");
  const output = await runOwnGit(folder, ["show", "--no-patch", "--date=raw", `--format=${format}`, commit]);
  const [name = "", email = "", date = "", subject = "", message = ""] = output.split("\0");
  return { author: { name, email, date }, subject, message: `${message.trimEnd()}\n` };
}

/** The same change with the same author, somewhere else. */
export function copyCommit(
  folder: GitFolder,
  input: { original: OriginalCommit; tree: string; parent: string; committer: GitIdentity },
): Promise<string> {
  const { original, tree, parent, committer } = input;
  return writeCommit(folder, { tree, parents: [parent], message: original.message, author: original.author, committer });
}

/** Merges are left out: what they brought is in the base. */
async function listCommits(
  folder: GitFolder,
  { onto, head, shared }: { onto: string; head: string; shared: SharedPart | undefined },
): Promise<string[]> {
  const range = [head, `^${onto}`, ...(shared === undefined ? [] : [`^${shared.head}`])];
  const output = await runOwnGit(folder, ["rev-list", "--reverse", "--topo-order", "--no-merges", ...range]);
  return output.split("\n").filter((line) => line !== "");
}

/** Throws unless the folder has a branch with a commit checked out. */
export async function getBranch(folder: GitFolder): Promise<{ ref: string; commit: string }> {
  const { ref, commit } = await readBranch(folder);
  if (commit === null) throw new GitObstacleError({ code: "unborn-branch" });
  if (ref === null) throw new GitObstacleError({ code: "detached-head" });
  return { ref, commit };
}

/** Where the base branch is now: a branch of the repository, or one that was fetched from a remote. */
export async function getBaseTip(folder: GitFolder, baseBranch: string | null): Promise<string> {
  if (baseBranch === null) throw new GitObstacleError({ code: "no-base-branch" });
  const tip =
    (await findRef(folder, `refs/heads/${baseBranch}^{commit}`)) ?? (await findRef(folder, `refs/remotes/${baseBranch}^{commit}`));
  if (tip === null) throw new GitObstacleError({ code: "base-gone", base: baseBranch });
  return tip;
}

async function describeFiles(folder: GitFolder, { conflicts }: MergedTrees): Promise<ConflictState["files"]> {
  const files: ConflictState["files"] = [];
  for (const file of conflicts) {
    const { base, ours, theirs } = file;
    files.push({
      ...{ path: fromBytePath(file.path), kind: toKind(file), base, ours, theirs, isMarkedResolved: false },
      binary: await isBinary(folder, [base, ours, theirs]),
    });
  }
  return files;
}

function toKind({ base, ours, theirs }: ConflictingFile): GitConflict["files"][number]["kind"] {
  if (ours === null && theirs === null) return "other";
  if (ours === null) return "deleted-by-us";
  if (theirs === null) return "deleted-by-them";
  return base === null ? "both-added" : "both-changed";
}

async function isBinary(folder: GitFolder, sides: readonly ({ mode: string; id: string } | null)[]): Promise<boolean> {
  const ids = sides.flatMap((side) => (side?.mode.startsWith("100") ? [side.id] : []));
  const contents = await readBlobs(folder, [...new Set(ids)]);
  return [...contents.values()].some((content) => content.slice(0, 8000).includes("\0"));
}
