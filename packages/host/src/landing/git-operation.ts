import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { attemptIdSchema, landingSchema } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { z } from "zod";
import { type GitFolder, runOwnGit, tryOwnGit } from "../git/git-folder.ts";
import { resolveHead } from "../git/resolve-base.ts";
import { withScratch } from "../git/scratch.ts";
import { writeWhole } from "../runner/execution-folder.ts";
import { releaseOwnLock, writeAgentIndex } from "./agent-index.ts";
import { conflictStateSchema, saveConflict } from "./conflict-state.ts";
import { applyTree, assertNothingInTheWay, FilesInTheWayError, listDifferences, replacePaths, writeFolderTree } from "./folder-tree.ts";

/*
 * Every operation that changes a branch or the files of a folder is data first: written to `<data dir>/git/.operations/<id>.json`, then
 * carried out, then deleted. Refs move before files do, all in one transaction of git. So a process that is killed leaves either a
 * repository in which nothing has happened, or an operation that the next start completes (Q18).
 */

const operationSchema = z.object({
  kind: z.enum(["commit", "discard", "restore", "update", "land", "abort", "resolve"]),
  attemptId: attemptIdSchema,
  /** What the base of our index is while it is carried out. */
  baseCommit: z.string().nullable(),
  /** `from` null: the ref must not exist. */
  refs: z.array(z.object({ ref: z.string(), from: z.string().nullable(), to: z.string() })),
  /** Trees: what the folder held when the operation was planned, and what it holds afterwards. */
  files: z.object({ from: z.string(), to: z.string() }).nullable(),
  /** The commit that the folder's own index shows afterwards; `from`: only what differs between the two changes. */
  index: z.object({ commit: z.string(), from: z.string().nullable() }).nullable(),
  /** The conflict state afterwards; absent: unchanged. */
  conflict: conflictStateSchema.nullable().optional(),
  /** For whoever records that an attempt was landed. */
  landing: landingSchema.nullable(),
});
export type GitOperation = z.infer<typeof operationSchema>;

/** In one folder for all git dirs of ours: a start of the server looks into one folder, which is empty. */
export const operationsFolder = ".operations";
const fileOf = ({ ownDir }: GitFolder): string => join(dirname(ownDir), operationsFolder, `${basename(ownDir)}.json`);

/** A ref is not what it was when the operation was planned: somebody else moved it. Nothing was changed. */
export class RefMovedError extends ServiceError {
  constructor(ref: string, options: { cause?: unknown } = {}) {
    super("conflict", { code: "ref-moved", branch: ref.replace("refs/heads/", "") }, options);
  }
}

/** The operation has begun, and `recoverOperation` must complete it before the next one in the folder. */
export class OperationInterruptedError extends ServiceError {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super("unavailable", { code: "operation-interrupted", reason }, options);
  }
}

/**
 * Carries an operation out. Rejects with `RefMovedError` or `FilesInTheWayError` before anything has changed, and with
 * `OperationInterruptedError` if it could not be completed, or an earlier one has not been.
 */
export async function runOperation(folder: GitFolder, operation: GitOperation): Promise<void> {
  const { files, baseCommit } = operation;
  // its journal would be overwritten
  if (existsSync(fileOf(folder))) throw new OperationInterruptedError("an earlier operation in this folder is not complete");
  if (files !== null && (await writeFolderTree(folder, baseCommit)) !== files.from) {
    throw new FilesInTheWayError({ code: "files-changed" });
  }
  if (files !== null) await assertNothingInTheWay(folder, files);
  await mkdir(dirname(fileOf(folder)), { recursive: true, mode: 0o700 });
  writeWhole(fileOf(folder), operation);
  try {
    await moveRefs(folder, operation);
  } catch (error) {
    await rm(fileOf(folder), { force: true });
    throw error;
  }
  await completeOrExplain(folder, operation);
}

async function completeOrExplain(folder: GitFolder, operation: GitOperation): Promise<void> {
  try {
    await completeOperation(folder, operation);
  } catch (cause) {
    throw new OperationInterruptedError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

export type RecoveredOperation = { operation: GitOperation; outcome: "completed" | "not-begun" };

/**
 * Completes what a killed process left behind, or finds that it had changed nothing. Undefined where there is nothing. `keep` is called
 * before files are written, to keep what the folder holds.
 */
export async function recoverOperation(
  folder: GitFolder,
  keep: (operation: GitOperation) => Promise<unknown>,
): Promise<RecoveredOperation | undefined> {
  const text = await readFile(fileOf(folder), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const operation = operationSchema.parse(JSON.parse(text));
  await releaseOwnLock(folder);
  if (operation.refs.length > 0 && !(await areMoved(folder, operation))) {
    await rm(fileOf(folder), { force: true });
    return { operation, outcome: "not-begun" };
  }
  if (operation.files !== null) await keep(operation);
  await completeOrExplain(folder, operation);
  return { operation, outcome: "completed" };
}

async function moveRefs(folder: GitFolder, { refs }: GitOperation): Promise<void> {
  if (refs.length === 0) return;
  const lines = refs.map(({ ref, from, to }) => `update ${ref} ${to} ${from ?? "0".repeat(to.length)}\n`);
  try {
    await runOwnGit(folder, ["update-ref", "--stdin"], { input: `start\n${lines.join("")}prepare\ncommit\n` });
  } catch (cause) {
    for (const { ref, from } of refs) {
      if ((await findRef(folder, ref)) !== from) throw new RefMovedError(ref, { cause });
    }
    throw cause;
  }
}

async function areMoved(folder: GitFolder, { refs }: GitOperation): Promise<boolean> {
  for (const { ref, to } of refs) if ((await findRef(folder, ref)) !== to) return false;
  return true;
}

/** May be done again after it was cut off at any point. */
async function completeOperation(folder: GitFolder, operation: GitOperation): Promise<void> {
  const { files, index, conflict, baseCommit } = operation;
  if (files !== null) await changeFiles(folder, { ...files, baseCommit });
  if (conflict !== undefined) await saveConflict(folder, conflict);
  if (index !== null) await writeAgentIndex(folder, index.commit, { from: index.from });
  await rm(fileOf(folder), { force: true });
}

/** Only files that differ between the two trees are written: what somebody changed elsewhere since stays. */
async function changeFiles(
  folder: GitFolder,
  { from, to, baseCommit }: { from: string; to: string; baseCommit: string | null },
): Promise<void> {
  const paths = await listDifferences(folder, from, to);
  if (paths.length === 0) return;
  const current = await writeFolderTree(folder, baseCommit);
  const target =
    current === from ? to : await withScratch(folder, ({ index }) => replacePaths(folder, { tree: current, from: to, paths, index }));
  await applyTree({ folder, baseCommit, to: target });
}

export function findRef(folder: GitFolder, ref: string): Promise<string | null> {
  return tryOwnGit(folder, ["rev-parse", "--verify", "--quiet", ref]);
}

/** The branch that the folder has checked out, as a full ref name, and its last commit. */
export async function readBranch(folder: GitFolder): Promise<{ ref: string | null; commit: string | null }> {
  const commit = await resolveHead(folder); // brings our HEAD up to date
  return { ref: await tryOwnGit(folder, ["symbolic-ref", "--quiet", "HEAD"]), commit };
}
