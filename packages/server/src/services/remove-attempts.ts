import { setTimeout as wait } from "node:timers/promises";
import type { Attempt, AttemptId, CleanupOutcome, ConversationState, DeletionResult, ExecutionId, Project, Task } from "@skein/contracts";
import { ServiceError, type StorageReader } from "@skein/engine";
import { StorageUnavailableError } from "@skein/storage";
import { getAttemptFolder, toAttemptFolder } from "../executions/attempt-folder.ts";
import { runCleanup } from "../repository/run-cleanup.ts";
import { getProject, getTask } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

const namedFiles = 3;
const syncedMessages = 200;
/** A locked database or a full disk may be transient. */
const deletionTries = 3;
const deletionRetryMs = 500;

/** Options of `RemoveAttempts`. */
export interface RemovalOptions {
  /** Also delete uncommitted changes. */
  discard: boolean;
  /** Deletes the rows of the attempts with those of their tasks. Default: deletes each attempt's row separately. */
  deleteRows?: () => Promise<void>;
}

interface Removed {
  keptBranch: string | null;
  cleanup?: CleanupOutcome;
  executionIds: ExecutionId[];
}

/** Deletes attempts of one project with their worktrees. Rejects before anything is changed if a check fails. */
export type RemoveAttempts = (attempts: readonly Attempt[], options: RemovalOptions) => Promise<DeletionResult>;

/**
 * Deletes attempts with their worktrees: ends their processes, runs the cleanup script, removes the folder, and the branch unless it
 * has commits that exist nowhere else. All checks that may reject run first. The attempts then disappear at once; their rows and files
 * are removed in the background.
 */
export function createAttemptRemoval(context: ServiceContext): RemoveAttempts {
  const { storage, supervisor, now, backgroundDeletion } = context;
  const { workspaces, executions } = context.host;

  /** Resolves when the executions have ended and are saved, so that the worktree can be removed. Drops queued messages. */
  async function endExecutions({ id: attemptId }: Attempt): Promise<void> {
    for (;;) {
      if ((await storage.read.listQueuedMessages({ attemptId })).length > 0) await clearQueue(attemptId);
      const running = await storage.read.listRunningExecutions({ attemptId });
      if (running.length === 0) return;
      await supervisor.reconcile(); // an execution without an owner would never end
      for (const { id } of running) {
        supervisor.stop(id);
        await supervisor.waitUntilSettled(id);
      }
      // a message sent in the meantime may have started the next one, which is about to be launched
      if ((await storage.read.listRunningExecutions({ attemptId })).length > 0) await wait(20);
    }
  }

  const clearQueue = (attemptId: AttemptId): Promise<void> =>
    storage.transaction(async (tx) => {
      for (const { id } of await tx.listQueuedMessages({ attemptId })) await tx.deleteQueuedMessage({ id });
    });

  async function deleteRow(attempt: Attempt): Promise<void> {
    await storage.transaction(async (tx) => {
      const task = await getTask(tx, attempt.taskId);
      await tx.deleteAttempt({ id: attempt.id });
      const left = (await tx.listAttempts({ taskId: task.id })).at(-1);
      if (attempt.active && left !== undefined) await tx.activateAttempt({ id: left.id, at: now() });
      const changed = await getTask(tx, task.id);
      await tx.appendEvent({ type: "task:updated", taskId: task.id, task: changed }, now());
      // clients that show this task must drop the attempt
      await tx.appendEvent({ type: "state:conversation-sync", taskId: task.id, state: await readState(tx, changed) }, now());
    });
  }

  /** If deleting the rows fails, removes the marks: marked executions would lose their logs if the database is lost. */
  async function withMarks(executionIds: readonly ExecutionId[], deleteRows: () => Promise<void>): Promise<void> {
    try {
      await deleteRows();
    } catch (error) {
      await executions.unmarkDeleted({ ids: executionIds });
      throw error;
    }
  }

  async function retry(deleteRows: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await deleteRows();
      } catch (error) {
        if (tries === deletionTries || !(error instanceof StorageUnavailableError)) throw error;
        await wait(deletionRetryMs);
      }
    }
  }

  async function removeOne(attempt: Attempt, project: Project, { discard, deleteRows }: RemovalOptions): Promise<Removed> {
    await endExecutions(attempt);
    await context.checks.forget(attempt.id);
    await endTerminals(attempt);
    const removed = attempt.isolation === "worktree" ? await removeFolder(attempt, project, discard) : { keptBranch: null };
    const executionIds = await storage.read.listExecutionIds({ attemptId: attempt.id });
    for (const id of executionIds) context.launches.forget(id);
    await executions.markDeleted({ ids: executionIds });
    if (deleteRows === undefined) await withMarks(executionIds, () => retry(() => deleteRow(attempt)));
    await workspaces.forget({ id: attempt.id });
    await workspaces.forgetSetup({ id: attempt.id });
    return { ...removed, executionIds };
  }

  /** An attempt on a machine that is gone can be deleted, too. */
  async function endTerminals({ id: attemptId }: Attempt): Promise<void> {
    await context.host.terminals
      .remove({ attemptId })
      .catch((error: unknown) => context.logger.warn("the terminals of an attempt could not be ended", { attemptId, error }));
  }

  async function deleteTrees(project: Project, executionIds: ExecutionId[]): Promise<void> {
    try {
      await workspaces.deleteRecorded({ project, executionIds });
    } catch (error) {
      context.logger.warn("trees of executions could not be deleted", { projectId: project.id, error });
    }
  }

  async function assertCommitted(attempt: Attempt): Promise<void> {
    const { isolation, directory, number } = attempt;
    if (isolation === "in-place") return;
    const folder = await getAttemptFolder(context, attempt);
    if (!(await workspaces.exists(folder))) return;
    const files = await workspaces.listUncommitted(folder).catch((cause: unknown) => {
      context.logger.warn("changes of an attempt could not be listed", { attemptId: attempt.id, error: cause });
      throw new ServiceError("conflict", { code: "uncommitted-changes", attempt: number, names: [], more: 0, directory }, { cause });
    });
    if (files.length === 0) return;
    const named = { names: files.slice(0, namedFiles), more: Math.max(0, files.length - namedFiles) };
    throw new ServiceError("conflict", { code: "uncommitted-changes", attempt: number, ...named });
  }

  async function removeFolder(attempt: Attempt, project: Project, discard: boolean) {
    // the agent kept working until it was stopped
    if (!discard) await assertCommitted(attempt);
    const cleanup = await runCleanup({ host: context.host, project, attempt, trust: context.repositoryTrust, logger: context.logger });
    const { keptBranch } = await workspaces.remove({ attempt: toAttemptFolder(attempt, project), later: true });
    return { keptBranch, ...(cleanup === undefined ? {} : { cleanup }) };
  }

  /** All attempts belong to one project. */
  async function removeAll(attempts: readonly Attempt[], options: RemovalOptions): Promise<DeletionResult> {
    const result: DeletionResult = { keptBranches: [], cleanups: [] };
    const going: ExecutionId[] = [];
    /** Executions whose rows are deleted. */
    const gone: ExecutionId[] = [];
    let project: Project | undefined;
    try {
      // newest first: an attempt is deleted before the one that it continues from
      for (const attempt of attempts.toSorted((a, b) => b.number - a.number)) {
        project ??= await getProject(storage.read, (await getTask(storage.read, attempt.taskId)).projectId);
        const { executionIds, keptBranch, cleanup } = await removeOne(attempt, project, options);
        (options.deleteRows === undefined ? gone : going).push(...executionIds);
        if (keptBranch !== null) result.keptBranches.push(keptBranch);
        if (cleanup !== undefined) result.cleanups.push(cleanup);
      }
      if (options.deleteRows !== undefined) await retry(options.deleteRows);
      gone.push(...going);
    } catch (error) {
      await executions.unmarkDeleted({ ids: going });
      throw error;
    } finally {
      if (project !== undefined) await deleteTrees(project, gone);
      backgroundDeletion.start(gone);
    }
    return result;
  }

  return async (attempts, options) => {
    await assertNotContinued(storage.read, attempts);
    if (!options.discard) for (const attempt of attempts) await assertCommitted(attempt);
    return removeAll(attempts, options);
  };
}

async function assertNotContinued(reader: StorageReader, attempts: readonly Attempt[]): Promise<void> {
  const going = new Set<AttemptId>(attempts.map(({ id }) => id));
  for (const { id, taskId, number } of attempts) {
    const next = (await reader.listAttempts({ taskId })).find((other) => other.continuedFrom === id && !going.has(other.id));
    if (next === undefined) continue;
    throw new ServiceError("conflict", { code: "attempt-continued", attempt: number, next: next.number });
  }
}

/** The state that a page of the active attempt shows. */
async function readState(reader: StorageReader, { activeAttemptId: attemptId }: Task): Promise<ConversationState> {
  if (attemptId === null)
    return { messages: [], isExecuting: false, canSendMessage: false, attemptId, queue: [], queuePause: null, approvals: [] };
  const { messages } = await reader.listConversationMessages({ attemptId, limit: syncedMessages });
  const [currentExecution] = await reader.listRunningExecutions({ attemptId });
  return {
    messages,
    isExecuting: currentExecution !== undefined,
    ...(currentExecution === undefined ? {} : { currentExecution }),
    canSendMessage: true,
    attemptId,
    ...(await reader.getQueue({ attemptId })),
    approvals: await reader.listApprovals({ attemptId, status: "pending" }),
  };
}
