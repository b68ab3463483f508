import type {
  Attempt,
  ConversationMessage,
  EndedExecution,
  Execution,
  ExecutionId,
  ImportedSession,
  ImportRun,
  MessageId,
  Project,
  ProjectId,
  StoredMessage,
  Task,
} from "@skein/contracts";
import { ServiceError, type StorageReader, type StorageTransaction } from "@skein/engine";
import type { ReceivedFile } from "../data-dir/received-file.ts";
import { behindAll } from "../executions/task-position.ts";
import { AdaptiveBatch } from "./adaptive-batch.ts";
import { type ExportedHead, type ExportedPart, readExportedMessages } from "./exported-file.ts";
import type { ImportContext } from "./import-context.ts";
import { createImportedIds, type ImportedIds } from "./imported-ids.ts";

const source = "skein";

export interface ExportedImport {
  context: ImportContext;
  file: Pick<ReceivedFile, "fingerprint" | "read">;
  head: ExportedHead;
  projectId: ProjectId;
  run: Pick<ImportRun, "lines" | "messages" | "added" | "unchanged" | "taskId">;
  pause(): Promise<void> | undefined;
}

/**
 * Writes an exported attempt, whose file was checked, as a task of its own. Its ids are derived from the file, so an import that was killed
 * continues when the same file is imported again. What would give the file rights here is not taken from it: permission mode, system
 * prompt, sandbox, session, users.
 */
export async function importExported(input: ExportedImport): Promise<void> {
  const { context, file, head, run } = input;
  const known = await findKnown(input);
  if (known.attempt !== undefined && known.row?.fingerprint === file.fingerprint) {
    run.unchanged += 1;
    run.taskId = known.attempt.taskId;
    return;
  }
  const { task, attempt } = toTask(input, known.generation);
  const ids = new IdMap(createIds(head, known.generation), head);
  const row: ImportedSession = {
    ...{ source, sessionId: head.attempt.id, attemptId: attempt.id, generation: known.generation },
    ...{ fingerprint: "", position: 0, turnKey: file.fingerprint, turns: head.executions.length, importedAt: context.now() },
  };
  const executions = head.executions.map((execution) => toEnded(execution, { head, attempt, ids }));
  await context.storage.transaction(async (tx) => {
    await tx.putImportedSession(row);
    if ((await tx.findAttempt({ id: attempt.id })) === undefined) await insertTask(tx, { task, attempt, at: context.now() });
  });
  run.taskId = task.id;
  const batch = new AdaptiveBatch();
  const inParts = async <T>(
    values: AsyncIterable<T> | Iterable<T>,
    write: (tx: StorageTransaction, part: readonly T[]) => Promise<void>,
  ) => {
    let part: T[] = [];
    const flush = async () => {
      const taken = part;
      part = [];
      await context.storage.transaction(async (tx) => {
        const endMeasure = batch.measure();
        await write(tx, taken);
        endMeasure();
      });
    };
    for await (const value of values) {
      part.push(value);
      if (part.length < batch.size) continue;
      await flush();
      await input.pause();
    }
    if (part.length > 0) await flush();
  };
  await inParts(executions, async (tx, part) => {
    for (const execution of part) await tx.putImportedExecution(execution);
  });
  const writer = new MessageWriter({ attempt, ids, head });
  await inParts(readExportedMessages({ chunks: file.read(), pause: input.pause }), async (tx, part) => {
    await writer.write(tx, part, context.now());
    run.lines += part.length;
    run.messages += part.filter(({ kind }) => kind === "message").length;
  });
  await inParts(executions, async (tx, part) => {
    const at = context.now();
    for (const execution of part) {
      const { id: executionId, taskId, attemptId, status } = execution;
      await tx.appendEvent({ type: "execution:completed", taskId, attemptId, executionId, status, execution }, at);
    }
  });
  await context.storage.transaction(async (tx) => {
    await tx.putImportedSession({ ...row, fingerprint: file.fingerprint });
    // lists show its activity, which is computed from its executions
    const written = await tx.findTask({ id: task.id });
    if (written !== undefined) await tx.appendEvent({ type: "task:updated", taskId: task.id, task: written }, context.now());
  });
  run.added += 1;
}

/** Throws a `ServiceError` if it does not exist. */
export async function getTargetProject(reader: StorageReader, id: ProjectId): Promise<Project> {
  const project = await reader.findProject({ id });
  if (project === undefined) throw new ServiceError("not-found", { code: "project-not-found", id });
  return project;
}

/** What an earlier import of this attempt has stored, and the generation of ids for this one. */
async function findKnown({ context, file, head, projectId }: ExportedImport) {
  const { read } = context.storage;
  const row = await read.findImportedSession({ source, sessionId: head.attempt.id });
  const attempt = row && (await read.findAttempt({ id: row.attemptId }));
  const task = attempt && (await read.findTask({ id: attempt.taskId }));
  const isSame = row?.turnKey === file.fingerprint && (row.fingerprint !== "" || task?.projectId === projectId);
  return { row, attempt: isSame ? attempt : undefined, generation: row === undefined ? 0 : row.generation + (attempt && isSame ? 0 : 1) };
}

const createIds = ({ attempt }: ExportedHead, generation: number): ImportedIds => createImportedIds({ source, id: attempt.id, generation });

function toTask({ context, head, projectId }: ExportedImport, generation: number): { task: Task; attempt: Attempt } {
  const ids = createIds(head, generation);
  const { by: _, status, archived, ...fields } = head.task;
  const taskId = ids.task(head.task.createdAt);
  const task: Task = {
    ...fields,
    ...{ id: taskId, projectId, activeAttemptId: null },
    // nothing of it runs here
    status: status === "in-progress" ? "in-review" : status,
    archived: archived || context.settings.general().importAs === "archived",
  };
  const { agent, model, createdAt, updatedAt } = head.attempt;
  const attempt: Attempt = {
    ...{ id: ids.attempt(createdAt), taskId, number: 1, agent, model, createdAt, updatedAt },
    ...{ permissionMode: "ask", systemPrompt: "", isolation: "in-place", directory: "", branch: null, baseBranch: null, baseCommit: null },
    ...{ sessionId: null, continuedFrom: null, active: true },
  };
  return { task, attempt };
}

async function insertTask(tx: StorageTransaction, input: { task: Task; attempt: Attempt; at: number }): Promise<void> {
  const { at } = input;
  const project = await getTargetProject(tx, input.task.projectId);
  const task: Task = { ...input.task, position: await behindAll(tx, project.id) };
  const attempt: Attempt = { ...input.attempt, directory: project.path };
  await tx.insertTask(task);
  await tx.appendEvent({ type: "task:created", taskId: task.id, task }, at);
  await tx.insertAttempt(attempt);
  await tx.appendEvent({ type: "task:attempt-created", taskId: task.id, attempt }, at);
}

/** Ids here, by those in the file. Ids of tool calls stay: they belong to their conversation. */
class IdMap {
  readonly #ids: ImportedIds;
  readonly #executions: ReadonlyMap<string, ExecutionId>;

  constructor(ids: ImportedIds, { executions }: ExportedHead) {
    this.#ids = ids;
    this.#executions = new Map(executions.map(({ id, startedAt }) => [id, ids.execution(id, startedAt)]));
  }

  execution(id: string | undefined): ExecutionId | undefined {
    return id === undefined ? undefined : this.#executions.get(id);
  }

  /** The ids of most messages contain that of their execution. */
  message(id: string, owner: ExecutionId): MessageId {
    const [, scope = "", rest = ""] = /^msg_([0-9a-z]+)(_[\w-]{1,150})$/.exec(id) ?? [];
    const execution = this.execution(`exe_${scope}`);
    if (execution !== undefined) return `msg_${execution.slice("exe_".length)}${rest}` as MessageId;
    return this.#ids.foreignMessage(owner, id);
  }
}

function toEnded(execution: Execution, { head, attempt, ids }: { head: ExportedHead; attempt: Attempt; ids: IdMap }): EndedExecution {
  const id = ids.execution(execution.id);
  if (id === undefined) throw new ServiceError("invalid", { code: "not-an-export" });
  const owner = { id, taskId: attempt.taskId, attemptId: attempt.id };
  if (execution.status !== "running") {
    const { by: _, ...ended } = execution;
    return { ...ended, ...owner };
  }
  // it ran when it was exported
  const { number, startedAt } = execution;
  const endedAt = Math.max(startedAt, head.exportedAt);
  const end = { status: "interrupted", endedAt, durationMs: endedAt - startedAt, exitCode: null, reason: null, code: null } as const;
  return { ...owner, number, startedAt, ...end, usage: {} };
}

/** Writes the messages of a file in its order. */
class MessageWriter {
  readonly #attempt: Attempt;
  readonly #ids: IdMap;
  readonly #head: ExportedHead;
  /** Of the last conversation message: one without an execution belongs to it, too. */
  #owner: ExecutionId | undefined;

  constructor({ attempt, ids, head }: { attempt: Attempt; ids: IdMap; head: ExportedHead }) {
    this.#attempt = attempt;
    this.#ids = ids;
    this.#head = head;
    this.#owner = ids.execution(head.executions[0]?.id);
  }

  async write(tx: StorageTransaction, parts: readonly ExportedPart[], at: number): Promise<void> {
    const { id: attemptId, taskId } = this.#attempt;
    await tx.putMessages(parts.flatMap((part) => (part.kind === "message" ? this.#toMessage(part.value) : [])));
    const runs: { executionId: ExecutionId; messages: ConversationMessage[] }[] = [];
    for (const part of parts) {
      if (part.kind !== "conversation") continue;
      const executionId = this.#ids.execution(part.value.metadata?.executionId) ?? this.#owner;
      if (executionId === undefined) continue;
      this.#owner = executionId;
      const last = runs.at(-1);
      const message = this.#toShown(part.value, executionId);
      if (last?.executionId === executionId) last.messages.push(message);
      else runs.push({ executionId, messages: [message] });
    }
    for (const run of runs) await tx.addConversationMessages({ taskId, attemptId, ...run, at });
  }

  #toMessage(message: StoredMessage): StoredMessage[] {
    const executionId = this.#ids.execution(message.executionId);
    if (executionId === undefined) return [];
    return [{ ...message, id: this.#ids.message(message.id, executionId), attemptId: this.#attempt.id, executionId }];
  }

  /** What ran when it was exported has ended; files of the other server are not here. */
  #toShown(message: ConversationMessage, executionId: ExecutionId): ConversationMessage {
    const id = this.#ids.message(message.id, executionId);
    if (message.metadata === undefined) return { ...message, id };
    const owner = message.metadata.executionId === undefined ? {} : { executionId };
    switch (message.messageType) {
      case "tool_execution": {
        const { outputFile: _, replaces, ...kept } = message.metadata;
        const replaced = replaces === undefined ? {} : { replaces: replaces.map((one) => this.#ids.message(one, executionId)) };
        const metadata = { ...kept, ...replaced, ...owner };
        if (metadata.state !== "running") return { ...message, id, metadata };
        const durationMs = Math.max(0, this.#head.exportedAt - message.timestamp);
        return { ...message, id, metadata: { ...metadata, state: "interrupted", isError: true, durationMs } };
      }
      case "tool_result": {
        const { outputFile: _, ...metadata } = message.metadata;
        return { ...message, id, metadata: { ...metadata, ...owner } };
      }
      case "text": {
        const { by: _, ...metadata } = message.metadata;
        return { ...message, id, metadata: { ...metadata, ...owner, ...toEndedStream(metadata) } };
      }
      case "thinking":
        return { ...message, id, metadata: { ...message.metadata, ...owner, ...toEndedStream(message.metadata) } };
      default:
        return { ...message, id, metadata: { ...message.metadata, ...owner } } as ConversationMessage;
    }
  }
}

const toEndedStream = ({ streaming }: { streaming?: boolean | undefined }) =>
  streaming === true ? { streaming: false, interrupted: true } : {};
