import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, rename, rmdir, unlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type Attempt,
  type ConversationMessage,
  type ExecutionId,
  type ExecutionOrigin,
  executionIdSchema,
  executionOriginSchema,
  type QuarantineEntry,
  type RecoveredExecution,
  type RunningExecution,
  type Task,
} from "@skein/contracts";
import { ServiceError, type StorageTransaction, truncateCodePoints } from "@skein/engine";
import { executionFolder } from "@skein/host";
import { outputFolder } from "../data-dir/output-folder.ts";
import { giveUpInterrupted } from "../executions/give-up-interrupted.ts";
import { missing } from "./lookup.ts";
import { measureFolder } from "./measure-folder.ts";
import type { ServiceContext } from "./service-context.ts";

/**
 * Executions with files in the data dir that are not in the database, because a backup was restored or the file was replaced. Their
 * logs may be all that is left of somebody's work, so only the user deletes them. `<data dir>/quarantine/<id>` has the content of
 * `executions/<id>` and `spill/<id>`.
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

/** Creates the quarantine of a data dir. Call `sweep` at the start. */
export function createQuarantine(
  context: Pick<ServiceContext, "storage" | "host" | "home" | "supervisor" | "logger" | "now" | "launches">,
): Quarantine {
  const { storage, home, supervisor, logger, now } = context;
  const { executions } = context.host;
  const root = join(home, "quarantine");
  const logPath = (id: ExecutionId) => join(home, "executions", id);
  const outputPath = (id: ExecutionId) => join(outputFolder(home), id);
  const running = new Set<ExecutionId>();
  /** Their files are back in place, but they are not in the database yet. */
  const recovering = new Set<ExecutionId>();

  const isUnknown = async (id: ExecutionId): Promise<boolean> =>
    !recovering.has(id) && (await storage.read.findExecution({ id })) === undefined;

  async function quarantine(id: ExecutionId): Promise<void> {
    await mkdir(join(root, id), { recursive: true, mode: 0o700 });
    await move(logPath(id), join(root, id, "execution"));
    await move(outputPath(id), join(root, id, "outputs"));
    running.delete(id);
    logger.warn("an execution that is not in the database was moved to the quarantine", { executionId: id, folder: join(root, id) });
  }

  async function sweepOne(id: ExecutionId): Promise<void> {
    const folder = executionFolder(logPath(id));
    if (!(await isUnknown(id))) {
      // the server was killed before its row was deleted
      if (existsSync(folder.deleted)) await unmarkDeleted(home, [id]);
      return;
    }
    if (existsSync(folder.deleted)) {
      // deleted while its runner could not be reached
      await executions.kill({ id });
      await removeExecutionFiles(home, id);
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

  const listQuarantined = async (): Promise<ExecutionId[]> => toIds(await listNames(root));
  const folderOf = (id: ExecutionId): string => (running.has(id) ? logPath(id) : join(root, id, "execution"));

  async function toEntry(id: ExecutionId): Promise<QuarantineEntry> {
    const origin = await readOrigin(folderOf(id), id);
    const folders = running.has(id) ? [logPath(id), outputPath(id)] : [join(root, id, "execution"), join(root, id, "outputs")];
    const bytes = (await Promise.all(folders.map(measureFolder))).reduce((sum, one) => sum + one, 0);
    const content = origin?.message.body.content;
    const message = typeof content === "string" ? content : undefined;
    return {
      id,
      state: running.has(id) ? "running" : "quarantined",
      bytes,
      startedAt: origin?.execution.startedAt ?? (await lstat(folderOf(id)).catch(() => undefined))?.birthtime.getTime() ?? 0,
      recoverable: origin !== undefined,
      ...(origin && { projectName: origin.project.name, taskTitle: origin.task.title, agent: origin.attempt.agent }),
      ...(message === undefined ? {} : { message: truncateCodePoints(message, shownMessage) }),
    };
  }

  async function find(id: ExecutionId): Promise<"running" | "quarantined"> {
    if (running.has(id)) {
      if (await executions.isRunning({ id })) return "running";
      await sweepOne(id);
    }
    return existsSync(join(root, id)) ? "quarantined" : missing("quarantined-execution", id);
  }

  async function recover(id: ExecutionId): Promise<RecoveredExecution> {
    const state = await find(id);
    const origin = await readOrigin(folderOf(id), id);
    if (origin === undefined) {
      throw new ServiceError("conflict", { code: "not-recoverable", id, directory: folderOf(id) });
    }
    // files first: with a row but without a claim, the execution would be started
    recovering.add(id);
    try {
      if (state === "quarantined") {
        await move(join(root, id, "execution"), logPath(id));
        await move(join(root, id, "outputs"), outputPath(id));
      }
      await giveUpInterrupted(executions, id);
      context.launches.note(id);
      const attempt = await storage.transaction((tx) => insertOrigin(tx, origin, { home, at: now() }));
      running.delete(id);
      await rmdir(join(root, id)).catch(() => {});
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
    for (const id of toIds([...(await listNames(join(home, "executions"))), ...(await listNames(outputFolder(home)))])) await sweepOne(id);
  }

  return {
    async list() {
      // a server that has just started may not have found it yet
      await sweep();
      const entries = await Promise.all([...(await listQuarantined()), ...running].map(toEntry));
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
      for (const name of ["execution", "outputs"]) await removeFlatFolder(join(root, id, name));
      await rmdir(join(root, id));
    },
    sweep,
    hasRunning: () => running.size > 0,
    isRunning: (id) => running.has(id),
    async listOrigins() {
      const ids = [...(await listQuarantined()), ...running];
      const found = await Promise.all(ids.map((id) => readOrigin(folderOf(id), id)));
      const origins = found.filter((origin) => origin !== undefined);
      return { origins, isComplete: origins.length === ids.length };
    },
  };
}

/** Inserts the missing project, task or attempt, then the execution in its state when the agent was started. */
async function insertOrigin(tx: StorageTransaction, origin: ExecutionOrigin, { home, at }: { home: string; at: number }): Promise<Attempt> {
  const task = (await tx.findTask({ id: origin.task.id })) ?? (await insertTask(tx, origin, at));
  const attempt = (await tx.findAttempt({ id: origin.attempt.id })) ?? (await insertAttempt(tx, origin, task, { home, at }));
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
  { home, at }: { home: string; at: number },
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
    directory: attempt.isolation === "worktree" ? join(home, "worktrees", basename(attempt.directory)) : attempt.directory,
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

async function readOrigin(path: string, id: ExecutionId): Promise<ExecutionOrigin | undefined> {
  const text = await readFile(executionFolder(path).origin, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { data } = executionOriginSchema.safeParse(JSON.parse(text));
    const belongs = data?.execution.id === id && data.execution.attemptId === data.attempt.id && data.attempt.taskId === data.task.id;
    return belongs ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Call before deleting the rows: a server that is killed after that leaves files that are known to be unwanted. */
export async function markDeleted(home: string, ids: readonly ExecutionId[]): Promise<void> {
  const known = new Set(await listNames(join(home, "executions")));
  for (const id of ids) {
    if (!known.has(id)) continue;
    await writeFile(executionFolder(join(home, "executions", id)).deleted, "", { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}

/** Call if the rows were not deleted. Failures are repaired by the next `sweep`. */
export async function unmarkDeleted(home: string, ids: readonly ExecutionId[]): Promise<void> {
  for (const id of ids) await unlink(executionFolder(join(home, "executions", id)).deleted).catch(() => {});
}

/** Removes the mark last. */
export async function removeExecutionFiles(home: string, id: ExecutionId): Promise<void> {
  await removeFlatFolder(join(outputFolder(home), id));
  await removeFlatFolder(join(home, "executions", id), "deleted");
}

/** File by file: only worktrees are ever deleted recursively (X12). */
async function removeFlatFolder(folder: string, last?: string): Promise<void> {
  const names = await listNames(folder);
  for (const name of names.toSorted((a, b) => Number(a === last) - Number(b === last))) await unlink(join(folder, name)).catch(() => {});
  await rmdir(folder).catch(() => {});
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(join(to, ".."), { recursive: true, mode: 0o700 });
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

function toIds(names: readonly string[]): ExecutionId[] {
  return [...new Set(names)].flatMap((name) => executionIdSchema.safeParse(name).data ?? []);
}
