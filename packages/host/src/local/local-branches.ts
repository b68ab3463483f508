import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionId } from "@skein/contracts";
import { createConcurrencyLimit, ServiceError } from "@skein/engine";
import { diffFolder } from "../git/attempt-diff.ts";
import { findPoint } from "../git/execution-point.ts";
import { findStartTree } from "../git/execution-trees.ts";
import { emptyTree, type GitFolder } from "../git/git-folder.ts";
import { findTree } from "../git/own-git-dir.ts";
import { findRemoved } from "../git/removed-folder.ts";
import { resolveHead } from "../git/resolve-base.ts";
import { commitFiles } from "../landing/commit-files.ts";
import { treeOf } from "../landing/folder-tree.ts";
import { operationsFolder, type RecoveredOperation, recoverOperation } from "../landing/git-operation.ts";
import { landBranch, undoLanding } from "../landing/land-branch.ts";
import { pushBranch } from "../landing/push-branch.ts";
import { readGitState } from "../landing/read-git-state.ts";
import { abortUpdate, finishUpdate, readConflictSides, resolveFile } from "../landing/resolve-conflict.ts";
import { discardChanges, restoreFiles, restoreSafetyRef, type TreeChange } from "../landing/restore-files.ts";
import { writeSafetyRef } from "../landing/safety-refs.ts";
import { updateBranch } from "../landing/update-branch.ts";
import type { Branches } from "../port/branches.ts";
import type { AttemptFolder } from "../port/workspaces.ts";
import type { GitFolders } from "./git-folders.ts";

export function createLocalBranches({ gitFolders, now }: { gitFolders: GitFolders; now(): number }): Branches {
  const queues = new Map<string, ReturnType<typeof createConcurrencyLimit>>();

  async function open(attempt: AttemptFolder) {
    const folder = await gitFolders.ofAttempt(attempt);
    return { folder, attemptId: attempt.id, baseCommit: attempt.baseCommit, now: now() };
  }

  /** One operation at a time in each repository. */
  async function change<T>(attempt: AttemptFolder, work: (place: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
    const place = await open(attempt);
    return inRepositoryQueue(place.folder, () => work(place));
  }

  function inRepositoryQueue<T>({ commonDir }: GitFolder, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(commonDir) ?? createConcurrencyLimit(1);
    queues.set(commonDir, queue);
    return queue(work);
  }

  return {
    async readGitState({ attempt, ...known }) {
      const { isolation, baseBranch } = attempt;
      const { folder, ...place } = await open(attempt);
      const removed = await findRemoved(folder, attempt);
      return readGitState({ ...place, folder: removed?.folder ?? folder, isolation, baseBranch, ...known, removed });
    },
    async diffUncommitted(attempt) {
      const { folder, baseCommit } = await open(attempt);
      const head = await resolveHead(folder);
      return diffFolder(folder, { baseCommit, from: head === null ? emptyTree(folder) : await treeOf(folder, head) });
    },

    commit: ({ attempt, ...options }) => change(attempt, (place) => commitFiles({ ...place, ...options })),
    discard: ({ attempt, files }) => change(attempt, (place) => discardChanges({ ...place, files })),
    restoreExecution: ({ attempt, executionId, to, executions }) =>
      change(attempt, async (place) => restoreFiles({ ...place, ...(await findTrees(place, { executionId, to, executions })) })),
    restoreSafetyRef: ({ attempt, ref }) => change(attempt, (place) => restoreSafetyRef({ ...place, ref })),

    update: ({ attempt, ...options }) => change(attempt, (place) => updateBranch({ ...place, baseBranch: attempt.baseBranch, ...options })),
    readConflictSides: async ({ attempt, path }) => readConflictSides((await open(attempt)).folder, path),
    resolveConflict: ({ attempt, ...resolution }) => change(attempt, (place) => resolveFile({ ...place, ...resolution })),
    finishUpdate: (attempt) => change(attempt, finishUpdate),
    abortUpdate: (attempt) => change(attempt, abortUpdate),

    land: ({ attempt, ...options }) =>
      change(attempt, async (place) => {
        const repository = await gitFolders.ofProject(attempt.project);
        return landBranch({ ...place, repository, baseBranch: attempt.baseBranch, ...options });
      }),
    undoLanding: ({ attempt, landing }) =>
      change(attempt, async ({ attemptId }) =>
        undoLanding({ repository: await gitFolders.ofProject(attempt.project), attemptId, landing }),
      ),

    push: ({ attempt, ...options }) => change(attempt, ({ folder }) => pushBranch({ folder, baseBranch: attempt.baseBranch, ...options })),
    async listUnfinished() {
      const names = await readdir(join(gitFolders.root, operationsFolder)).catch(() => []);
      return names.flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : []));
    },
    async recoverOperations({ attempts, projects }) {
      const recovered: RecoveredOperation[] = [];
      const folders = [
        ...attempts.map((attempt) => gitFolders.ofAttempt(attempt)),
        ...projects.map((project) => gitFolders.ofProject(project)),
      ];
      for (const folder of await Promise.all(folders)) {
        const keep = ({ attemptId, baseCommit }: { attemptId: AttemptFolder["id"]; baseCommit: string | null }) =>
          writeSafetyRef({ folder, attemptId, baseCommit, before: "restore", now: now() });
        const found = await inRepositoryQueue(folder, () => recoverOperation(folder, keep));
        if (found !== undefined) recovered.push(found);
      }
      return recovered;
    },
  };
}

/** The tree to restore, and what executions have changed since. */
async function findTrees(
  { folder, baseCommit }: { folder: GitFolder; baseCommit: string | null },
  { executionId, to, executions }: { executionId: ExecutionId; to: "before" | "after"; executions: readonly ExecutionId[] },
): Promise<{ to: string; changes: TreeChange[] }> {
  const at = executions.indexOf(executionId);
  const earlier = executions.slice(0, at);
  const target =
    at === -1 ? undefined : await findPoint(folder, { executionId, at: to === "before" ? "start" : "end", earlier, baseCommit });
  if (target === undefined) throw new ServiceError("conflict", { code: "not-recorded" });
  const changes: TreeChange[] = [];
  // an execution without a recorded end: its changes are found with those of the next
  let open: string | undefined;
  let last = target.tree;
  for (const id of executions.slice(to === "before" ? at : at + 1)) {
    const before = open ?? (await findStartTree(folder, id))?.tree ?? last;
    const end = await findTree(folder, id);
    open = end === undefined ? before : undefined;
    if (end === undefined) continue;
    changes.push({ before, after: end.tree });
    last = end.tree;
  }
  return { to: target.tree, changes };
}
