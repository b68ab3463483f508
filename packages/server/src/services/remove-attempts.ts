import { setTimeout as wait } from "node:timers/promises";
import type { Attempt, AttemptId, CleanupOutcome, ConversationState, DeletionResult, ExecutionId, Project, Task } from "@skein/contracts";
import { ServiceError, type StorageReader } from "@skein/engine";
import { StorageUnavailableError } from "@skein/storage";
import { getAttemptFolder, toAttemptFolder } from "../executions/attempt-folder.ts";
import { runCleanup } from "../repository/run-cleanup.ts";
import { getProject, getTask } from "./lookup.ts";
import { markDeleted, unmarkDeleted } from "./quarantine.ts";
import type { ServiceContext } from "./service-context.ts";

const namedFiles = 3;
const syncedMessages = 200;
/** A database that is locked or a disk that is full may be neither a moment later. */
const deletionTries = 3;
const deletionRetryMs = 500;

export interface RemovalOptions {
  /** Also what is in no commit. */
  discard: boolean;
  /** Deletes their rows together with those of their tasks. Without it each attempt's row is deleted on its own. */
  deleteRows?: () => Promise<void>;
}

interface Removed {
  keptBranch: string | null;
  cleanup?: CleanupOutcome;
  executionIds: ExecutionId[];
}

export type RemoveAttempts = (attempts: readonly Attempt[], options: RemovalOptions) => Promise<DeletionResult>;

/**
 * Deletes attempts with their worktrees: their processes end first, then the cleanup script runs, then the folder goes, and
 * the branch with it unless it has commits that are nowhere else. Everything that may refuse is asked before anything is done.
 * From then on nobody sees them; their rows and files are removed in the background.
 */
export function createAttemptRemoval(context: ServiceContext): RemoveAttempts {
  const { storage, supervisor, now, home, backgroundDeletion } = context;
  const { workspaces } = context.host;

  /** Ended means saved too: the worktree may go after this. Messages that wait are not sent any more. */
  async function endExecutions({ id: attemptId }: Attempt): Promise<void> {
    for (;;) {
      if ((await storage.read.listQueuedMessages({ attemptId })).length > 0) await clearQueue(attemptId);
      const running = await storage.read.listRunningExecutions({ attemptId });
      if (running.length === 0) return;
      await supervisor.reconcile(); // one that nobody follows would never end
      for (const { id } of running) {
        supervisor.stop(id);
        await supervisor.waitUntilSettled(id);
      }
      // a message that was sent in between has started the next one, which is about to be launched
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
      // whoever shows this task shows what is no more
      await tx.appendEvent({ type: "state:conversation-sync", taskId: task.id, state: await readState(tx, changed) }, now());
    });
  }

  /** Marks of executions that the database still has would let their logs be deleted when it is lost: without the deletion, no marks. */
  async function withMarks(executionIds: readonly ExecutionId[], deleteRows: () => Promise<void>): Promise<void> {
    try {
      await deleteRows();
    } catch (error) {
      await unmarkDeleted(home, executionIds);
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
    const removed = attempt.isolation === "worktree" ? await removeFolder(attempt, project, discard) : { keptBranch: null };
    const executionIds = await storage.read.listExecutionIds({ attemptId: attempt.id });
    for (const id of executionIds) context.launches.forget(id);
    await markDeleted(home, executionIds);
    if (deleteRows === undefined) await withMarks(executionIds, () => retry(() => deleteRow(attempt)));
    await workspaces.forget({ id: attempt.id });
    await workspaces.forgetSetup({ id: attempt.id });
    return { ...removed, executionIds };
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
    // the agent went on until it was stopped
    if (!discard) await assertCommitted(attempt);
    const cleanup = await runCleanup({ workspaces, project, attempt, trust: context.repositoryTrust, logger: context.logger });
    const { keptBranch } = await workspaces.remove({ attempt: toAttemptFolder(attempt, project), later: true });
    return { keptBranch, ...(cleanup === undefined ? {} : { cleanup }) };
  }

  /** Of one project, as what is deleted together always is. */
  async function removeAll(attempts: readonly Attempt[], options: RemovalOptions): Promise<DeletionResult> {
    const result: DeletionResult = { keptBranches: [], cleanups: [] };
    const going: ExecutionId[] = [];
    /** Their rows are deleted. */
    const gone: ExecutionId[] = [];
    let project: Project | undefined;
    try {
      // the newest first: an attempt goes before the one that it went on from
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
      await unmarkDeleted(home, going);
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

/** What a page of the active attempt shows. */
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
