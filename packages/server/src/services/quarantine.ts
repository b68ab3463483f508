import type {
  Attempt,
  ConversationMessage,
  ExecutionId,
  ExecutionOrigin,
  QuarantineEntry,
  RecoveredExecution,
  RunningExecution,
  Task,
} from "@skein/contracts";
import { ServiceError, type StorageTransaction, truncateCodePoints } from "@skein/engine";
import { abandonInterrupted } from "../executions/abandon-interrupted.ts";
import { missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

/**
 * Executions with files on the host that are not in the database, because a backup was restored or the file was replaced. Their
 * logs may be all that is left of somebody's work, so only the user deletes them.
 */
export interface Quarantine {
  /** Oldest first. */
  list(): Promise<QuarantineEntry[]>;
  /**
   * Imports the log into the database, with its project, task and attempt if these are missing; a living agent is followed again.
   * Resolves when an agent that has ended is saved.
   */
  recover(id: ExecutionId): Promise<RecoveredExecution>;
  /** Stops a running agent; its files are then quarantined. */
  stop(id: ExecutionId): Promise<void>;
  /** Deletes the files. Rejects with `agent-running` while the agent is alive. */
  remove(id: ExecutionId): Promise<void>;
  /** Moves unknown executions to the quarantine, and finishes interrupted deletions. */
  sweep(): Promise<void>;
  /** Whether agents of unknown executions are alive. */
  hasRunning(): boolean;
  isRunning(id: ExecutionId): boolean;
  /** Origins of quarantined and running unknown executions; `isComplete` is false if one has no origin. */
  listOrigins(): Promise<{ origins: ExecutionOrigin[]; isComplete: boolean }>;
}

const shownMessage = 200;

/** Creates the quarantine of a host. Call `sweep` at the start. */
export function createQuarantine(
  context: Pick<ServiceContext, "storage" | "host" | "supervisor" | "logger" | "now" | "launches">,
): Quarantine {
  const { storage, supervisor, logger, now } = context;
  const { executions, workspaces } = context.host;
  const running = new Set<ExecutionId>();
  /** Their files are back in place, but they are not in the database yet. */
  const recovering = new Set<ExecutionId>();

  const isUnknown = async (id: ExecutionId): Promise<boolean> =>
    !recovering.has(id) && (await storage.read.findExecution({ id })) === undefined;

  async function quarantine(id: ExecutionId): Promise<void> {
    const { directory } = await executions.quarantine({ id });
    running.delete(id);
    logger.warn("an execution that is not in the database was moved to the quarantine", { executionId: id, folder: directory });
  }

  async function sweepOne(id: ExecutionId): Promise<void> {
    const isDeleted = await executions.isMarkedDeleted({ id });
    if (!(await isUnknown(id))) {
      // the server was killed before its row was deleted
      if (isDeleted) await executions.unmarkDeleted({ ids: [id] });
      return;
    }
    if (isDeleted) {
      // deleted while its runner could not be reached
      await executions.kill({ id });
      await executions.removeStored({ id });
    } else if (await executions.isRunning({ id })) {
      if (running.has(id)) return;
      running.add(id);
      logger.warn("an agent keeps running whose execution is not in the database; recover or stop it in Settings, Storage", {
        executionId: id,
      });
    } else {
      await quarantine(id);
    }
  }

  async function toEntry(id: ExecutionId): Promise<QuarantineEntry> {
    const origin = await executions.readOrigin({ id });
    const { bytes, createdAt } = await executions.describeStored({ id });
    const content = origin?.message.body.content;
    const message = typeof content === "string" ? content : undefined;
    return {
      id,
      state: running.has(id) ? "running" : "quarantined",
      bytes,
      startedAt: origin?.execution.startedAt ?? createdAt,
      recoverable: origin !== null,
      ...(origin && {
        projectId: origin.project.id,
        projectName: origin.project.name,
        taskTitle: origin.task.title,
        agent: origin.attempt.agent,
      }),
      ...(message === undefined ? {} : { message: truncateCodePoints(message, shownMessage) }),
    };
  }

  async function find(id: ExecutionId): Promise<"running" | "quarantined"> {
    if (running.has(id)) {
      if (await executions.isRunning({ id })) return "running";
      await sweepOne(id);
    }
    return (await executions.listQuarantined()).includes(id) ? "quarantined" : missing("quarantined-execution", id);
  }

  async function recover(id: ExecutionId): Promise<RecoveredExecution> {
    const state = await find(id);
    const origin = await executions.readOrigin({ id });
    if (origin === null) {
      const { directory } = await executions.describeStored({ id });
      throw new ServiceError("conflict", { code: "not-recoverable", id, directory });
    }
    const worktree = await workspaces.locateWorktree(origin.attempt);
    // files first: with a row but without a claim, the execution would be started
    recovering.add(id);
    try {
      if (state === "quarantined") await executions.restoreQuarantined({ id });
      await abandonInterrupted(executions, id);
      context.launches.note(id);
      const attempt = await storage.transaction((tx) => insertOrigin(tx, origin, { worktree, at: now() }));
      running.delete(id);
      logger.info("an execution that was not in the database was recovered", { executionId: id });
      await supervisor.reconcile();
      if (state === "quarantined") await supervisor.waitUntilSettled(id);
      return { executionId: id, attemptId: attempt.id, taskId: attempt.taskId };
    } catch (error) {
      context.launches.forget(id);
      if (state === "quarantined" && (await storage.read.findExecution({ id })) === undefined) await quarantine(id);
      throw error;
    } finally {
      recovering.delete(id);
    }
  }

  async function sweep(): Promise<void> {
    for (const id of await executions.listStored()) await sweepOne(id);
  }

  return {
    async list() {
      // a server that has just started may not have found it yet
      await sweep();
      const entries = await Promise.all([...(await executions.listQuarantined()), ...running].map(toEntry));
      return entries.toSorted((a, b) => a.startedAt - b.startedAt || a.id.localeCompare(b.id));
    },
    recover,
    async stop(id) {
      if ((await find(id)) === "quarantined") return;
      await executions.kill({ id });
      await sweepOne(id);
    },
    async remove(id) {
      if ((await find(id)) === "running") {
        throw new ServiceError("conflict", { code: "agent-running", id });
      }
      await executions.removeQuarantined({ id });
    },
    sweep,
    hasRunning: () => running.size > 0,
    isRunning: (id) => running.has(id),
    async listOrigins() {
      const ids = [...(await executions.listQuarantined()), ...running];
      const found = await Promise.all(ids.map((id) => executions.readOrigin({ id })));
      const origins = found.filter((origin) => origin !== null);
      return { origins, isComplete: origins.length === ids.length };
    },
  };
}

/**
 * Inserts the missing project, task or attempt, then the execution in its state when the agent was started. `worktree`: the directory
 * of the attempt's worktree on this host.
 */
async function insertOrigin(
  tx: StorageTransaction,
  origin: ExecutionOrigin,
  { worktree, at }: { worktree: string; at: number },
): Promise<Attempt> {
  const task = (await tx.findTask({ id: origin.task.id })) ?? (await insertTask(tx, origin, at));
  const attempt = (await tx.findAttempt({ id: origin.attempt.id })) ?? (await insertAttempt(tx, origin, task, { worktree, at }));
  if ((await tx.listRunningExecutions({ attemptId: attempt.id })).length > 0) {
    throw new ServiceError("conflict", { code: "attempt-running", attempt: attempt.number, task: task.title });
  }
  const { id, startedAt } = origin.execution;
  const numbers = (await tx.listExecutions({ attemptId: attempt.id })).map(({ number }) => number);
  const number = freeNumber(origin.execution.number, numbers);
  const ids = { taskId: task.id, attemptId: attempt.id, executionId: id };
  const execution: RunningExecution = { id, taskId: task.id, attemptId: attempt.id, number, startedAt, status: "running" };
  await tx.insertExecution(execution);
  await tx.appendEvent({ type: "execution:started", ...ids, execution }, at);
  await tx.putMessages([{ ...origin.message, attemptId: attempt.id, executionId: id }]);
  const message = toShownMessage(origin);
  await tx.putConversationMessages({ attemptId: attempt.id, executionId: id, messages: [message] });
  await tx.appendEvent({ type: "message:added", taskId: task.id, attemptId: attempt.id, message }, at);
  return attempt;
}

async function insertTask(tx: StorageTransaction, { project, task }: ExecutionOrigin, at: number): Promise<Task> {
  const known = (await tx.findProject({ id: project.id })) ?? (await tx.findProject({ path: project.path }));
  if (known === undefined) {
    await tx.insertProject(project);
    await tx.appendEvent({ type: "project:created", projectId: project.id, project }, at);
  }
  const inserted: Task = { ...task, projectId: known?.id ?? project.id, activeAttemptId: null };
  await tx.insertTask(inserted);
  await tx.appendEvent({ type: "task:created", taskId: task.id, task: inserted }, at);
  return inserted;
}

async function insertAttempt(
  tx: StorageTransaction,
  { attempt }: ExecutionOrigin,
  task: Task,
  { worktree, at }: { worktree: string; at: number },
): Promise<Attempt> {
  const others = await tx.listAttempts({ taskId: task.id });
  const source = attempt.continuedFrom && (await tx.findAttempt({ id: attempt.continuedFrom }));
  const { forkedFrom, ...rest } = attempt;
  const inserted: Attempt = {
    ...rest,
    number: freeNumber(
      attempt.number,
      others.map(({ number }) => number),
    ),
    // an agent can write the origin file: it must not name a folder outside the data dir or grant anything
    directory: attempt.isolation === "worktree" ? worktree : attempt.directory,
    permissionMode: "ask",
    continuedFrom: source ? source.id : null,
    ...(source && forkedFrom !== undefined ? { forkedFrom } : {}),
    active: !others.some(({ active }) => active),
  };
  if (attempt.isolation === "in-place") {
    const project = await tx.findProject({ id: task.projectId });
    inserted.directory = project?.path ?? attempt.directory;
  }
  await tx.insertAttempt(inserted);
  await tx.appendEvent({ type: "task:attempt-created", taskId: task.id, attempt: inserted }, at);
  return inserted;
}

const freeNumber = (wanted: number, taken: readonly number[]): number => (taken.includes(wanted) ? Math.max(...taken) + 1 : wanted);

function toShownMessage({ message, execution }: ExecutionOrigin): ConversationMessage {
  const { content } = message.body;
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const images = parts.flatMap((part) => (part.type === "image" ? [{ mediaType: part.mediaType, data: part.data }] : []));
  const metadata = { executionId: execution.id, ...(images.length === 0 ? {} : { images }) };
  return { id: message.id, role: "user", messageType: "text", content: text, timestamp: message.createdAt, revision: 1, metadata };
}
