import { isUtf8 } from "node:buffer";
import type { AttemptId, ConflictSideKind, ConflictSides, GitConflict, UpdatedAttemptBase } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { type GitFolder, runOwnGit } from "../git/git-folder.ts";
import { readBlobs } from "../git/own-git-dir.ts";
import { withScratch } from "../git/scratch.ts";
import { countCommits } from "./commit-graph.ts";
import { type ConflictState, isRegular, readConflict, saveConflict, toConflict } from "./conflict-state.ts";
import { toBytePath, treeOf, writeTree } from "./folder-tree.ts";
import { GitObstacleError } from "./git-obstacle.ts";
import { type GitOperation, readBranch, runOperation } from "./git-operation.ts";
import { readIdentity, writeCommit } from "./identity.ts";
import { readFolderFile } from "./read-folder-file.ts";
import { writeSafetyRef } from "./safety-refs.ts";
import { copyCommit, readCommit, replay } from "./update-branch.ts";

interface Place {
  folder: GitFolder;
  attemptId: AttemptId;
  baseCommit: string | null;
  now: number;
}

export async function getConflict(folder: GitFolder): Promise<ConflictState> {
  const state = await readConflict(folder);
  if (state === undefined) throw new ServiceError("conflict", { code: "no-conflict" });
  return state;
}

function getFile(state: ConflictState, path: string): ConflictState["files"][number] {
  const file = state.files.find((one) => one.path === path);
  if (file === undefined) throw new ServiceError("not-found", { code: "no-conflict-in-file", path });
  return file;
}

/** A longer text is neither shown nor edited in a browser. */
const maxTextBytes = 1024 * 1024;

interface SideContent {
  kind: ConflictSideKind;
  text: string | null;
}

/** One file on all sides, and as it is in the folder. */
export async function readConflictSides(folder: GitFolder, path: string): Promise<ConflictSides> {
  const state = await getConflict(folder);
  const file = getFile(state, path);
  const read = async (side: { mode: string; id: string } | null): Promise<SideContent> => {
    if (side === null) return { kind: "none", text: null };
    if (!isRegular(side)) return { kind: "special", text: null };
    return toContent(Buffer.from((await readBlobs(folder, [side.id])).get(side.id) ?? "", "latin1"));
  };
  const [base, ours, theirs] = [await read(file.base), await read(file.ours), await read(file.theirs)];
  const { current, currentId } = await readCurrent(folder, path);
  return {
    ...{ path, base: base.text, ours: ours.text, theirs: theirs.text, current: current.text, currentId },
    kinds: { base: base.kind, ours: ours.kind, theirs: theirs.kind, current: current.kind },
  };
}

async function readCurrent(folder: GitFolder, path: string): Promise<{ current: SideContent; currentId: string }> {
  const file = await readFolderFile(folder, path);
  if (file.kind !== "file") return { current: { kind: file.kind, text: null }, currentId: file.id };
  return { current: file.bytes === null ? { kind: "large", text: null } : toContent(file.bytes), currentId: file.id };
}

/** Bytes that are not UTF-8 count as binary: written back from a text, they would be others. */
function toContent(bytes: Buffer): SideContent {
  if (bytes.includes(0) || !isUtf8(bytes)) return { kind: "binary", text: null };
  return bytes.length > maxTextBytes ? { kind: "large", text: null } : { kind: "text", text: bytes.toString("utf8") };
}

/**
 * Chooses a side, or a text, for one file; with neither, the file counts as resolved as it is. Rejects a text that was edited from
 * another content than that of `currentId`.
 */
export async function resolveFile(
  place: Place & { path: string } & ({ side: "ours" | "theirs" } | { content: string; currentId?: string | undefined } | { asIs: true }),
): Promise<GitConflict> {
  const { folder, attemptId, baseCommit } = place;
  const state = await getConflict(folder);
  const file = getFile(state, place.path);
  if ("content" in place && place.currentId !== undefined && place.currentId !== (await readCurrent(folder, place.path)).currentId) {
    throw new ServiceError("conflict", { code: "changed-since", path: place.path });
  }
  const resolved: ConflictState = {
    ...state,
    files: state.files.map((one) => (one === file ? { ...one, isMarkedResolved: true } : one)),
  };
  if ("asIs" in place) {
    await saveConflict(folder, resolved);
    return toConflict(folder, resolved);
  }
  const entry = "side" in place ? file[place.side] : await writeText(folder, place.content, file);
  const { tree: current } = await writeSafetyRef({ ...place, before: "resolve" });
  const to = await replaceEntry(folder, current, place.path, entry);
  const files = current === to ? null : { from: current, to };
  await runOperation(folder, { kind: "resolve", attemptId, baseCommit, refs: [], files, index: null, conflict: resolved, landing: null });
  return toConflict(folder, resolved);
}

async function writeText(folder: GitFolder, content: string, file: ConflictState["files"][number]): Promise<{ mode: string; id: string }> {
  const id = (await runOwnGit(folder, ["hash-object", "-w", "--stdin"], { input: content })).trim();
  const like = [file.ours, file.theirs, file.base].find((side) => side !== null && isRegular(side));
  return { mode: like?.mode ?? "100644", id };
}

function replaceEntry(folder: GitFolder, tree: string, path: string, entry: { mode: string; id: string } | null): Promise<string> {
  return withScratch(folder, async ({ index }) => {
    const target = { index };
    await runOwnGit(folder, ["read-tree", tree], { target });
    const line = entry === null ? `0 ${"0".repeat(tree.length)}` : `${entry.mode} ${entry.id}`;
    const input = `${line}\t${toBytePath(path)}\0`;
    await runOwnGit(folder, ["update-index", "--replace", "-z", "--index-info"], { target, input, encoding: "latin1" });
    return writeTree(folder, index);
  });
}

/** The files become those of the attempt's last commit before the update. What they are now is kept by a safety ref. */
export async function abortUpdate(place: Place): Promise<void> {
  const { folder, attemptId, baseCommit } = place;
  const state = await getConflict(folder);
  const { tree: current } = await writeSafetyRef({ ...place, before: "abort" });
  const to = await treeOf(folder, state.head);
  const files = current === to ? null : { from: current, to };
  const index = { commit: state.head, from: null };
  await runOperation(folder, { kind: "abort", attemptId, baseCommit, refs: [], files, index, conflict: null, landing: null });
}

/**
 * Commits the resolution and continues the update. A rebase may meet the next conflict. The branch moves when everything is done; a
 * commit that somebody made meanwhile is kept by the safety ref.
 */
export async function finishUpdate(place: Place): Promise<UpdatedAttemptBase> {
  const { folder, attemptId, baseCommit } = place;
  const state = await getConflict(folder);
  const open = (await toConflict(folder, state)).files.filter(({ isResolved }) => !isResolved);
  if (open.length > 0) {
    const names = open.map(({ path }) => path).join(", ");
    throw new ServiceError("conflict", { code: "unresolved-files", names });
  }
  const branch = await readBranch(folder);
  if (branch.ref === null) throw new GitObstacleError({ code: "detached-head" });
  const committer = await readIdentity(folder);
  const { safetyRef, tree: current } = await writeSafetyRef({ ...place, before: "resolve" });
  const resolved = await commitResolution(folder, state, { tree: current, committer });
  const result = await replay(folder, { tip: resolved, todo: state.todo, committer });
  const shared: Pick<GitOperation, "kind" | "attemptId" | "baseCommit" | "landing"> = {
    kind: "resolve",
    attemptId,
    baseCommit,
    landing: null,
  };
  if (result.kind === "conflict") {
    const conflict: ConflictState = { ...state, ...result.state };
    await runOperation(folder, { ...shared, refs: [], files: { from: current, to: result.tree }, index: null, conflict });
    return { outcome: "conflict", conflict: await toConflict(folder, conflict), safetyRef };
  }
  const to = await treeOf(folder, result.commit);
  await runOperation(folder, {
    ...shared,
    refs: [{ ref: branch.ref, from: branch.commit, to: result.commit }],
    files: current === to ? null : { from: current, to },
    index: { commit: result.commit, from: null },
    conflict: null,
  });
  return { outcome: "updated", head: result.commit, commits: await countCommits(folder, state.onto, result.commit), safetyRef };
}

async function commitResolution(
  folder: GitFolder,
  state: ConflictState,
  { tree, committer }: { tree: string; committer: { name: string; email: string } },
): Promise<string> {
  if (state.applying === null) {
    const message = `Merge branch '${state.baseBranch}'\n`;
    return writeCommit(folder, { tree, parents: [state.head, state.onto], message, committer });
  }
  if (tree === (await treeOf(folder, state.tip))) return state.tip; // the base has the change already
  return copyCommit(folder, { original: await readCommit(folder, state.applying.commit), tree, parent: state.tip, committer });
}
