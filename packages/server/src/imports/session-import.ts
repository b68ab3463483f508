import { isDeepStrictEqual } from "node:util";
import type { FoundSession, OpenSource, SessionSink, Turn, TurnEnd } from "@skein/agents/session-sources";
import type {
  AgentOutput,
  Attempt,
  ConversationMessage,
  ExecutionId,
  ImportedSession,
  ImportProblem,
  ImportSource,
  Task,
} from "@skein/contracts";
import { longestDescription, taskFieldsSchema } from "@skein/contracts";
import { type PresentTool, type StorageTransaction, toTaskTitle } from "@skein/engine";
import { behindAll } from "../executions/task-position.ts";
import { AdaptiveBatch } from "./adaptive-batch.ts";
import type { ImportContext } from "./import-context.ts";
import { createImportedIds, type ImportedIds } from "./imported-ids.ts";
import { ImportedTurn } from "./imported-turn.ts";
import { findOrAddProject, type SessionFolder } from "./session-folders.ts";

/** The longest time without yielding to other work. */
const sliceMs = 8;

export interface SessionImport {
  context: ImportContext;
  source: ImportSource;
  open: OpenSource;
  session: FoundSession;
  folder: SessionFolder;
  /** What an earlier import has stored. */
  known: ImportedSession | undefined;
  /** The task of the earlier import was deleted: this one gets new ids. */
  isDeleted: boolean;
  present: PresentTool | undefined;
  signal: AbortSignal;
  onLine(): void;
  onMessages(count: number): void;
  onProblem(problem: ImportProblem): void;
}

/**
 * Reads a session and writes it in small transactions, each with the position up to which turns are complete. A turn that was not
 * complete when the server was killed, or when the session had grown, is read again from its beginning; its rows have the same ids.
 */
export async function importSession(input: SessionImport): Promise<"added" | "updated" | "empty"> {
  const writer = new SessionWriter(input);
  const { known, isDeleted } = input;
  const from = known === undefined || isDeleted || known.turns === 0 ? undefined : { position: known.position, mark: known.turnKey };
  if (from !== undefined) await writer.resume();
  await input.open.read(input.session, { sink: writer, from });
  input.signal.throwIfAborted();
  await writer.finish();
  if (!writer.hasWritten) return "empty";
  return from === undefined ? "added" : "updated";
}

class SessionWriter implements SessionSink {
  readonly #input: SessionImport;
  readonly #ids: ImportedIds;
  readonly #generation: number;
  readonly #startedAt: number;
  #attempt: Attempt | undefined;
  #turns: ImportedTurn[] = [];
  #current: ImportedTurn | undefined;
  #count = 0;
  #size = 0;
  readonly #batch = new AdaptiveBatch();
  #committing: Promise<void> | undefined;
  #sliceEnd = performance.now() + sliceMs;
  #title: string | null = null;
  #firstPrompt: string | undefined;
  /** What is stored of the turn that is read again, by id. */
  #stored = new Map<string, ConversationMessage>();
  /** Its messages as they are read now. */
  readonly #again = new Map<string, ConversationMessage>();
  hasWritten = false;

  constructor(input: SessionImport) {
    this.#input = input;
    const { source, session, known, isDeleted } = input;
    this.#generation = known === undefined ? 0 : known.generation + (isDeleted ? 1 : 0);
    this.#ids = createImportedIds({ source, id: session.id, generation: this.#generation, taskKey: session.task?.id });
    this.#startedAt = session.startedAt;
  }

  /** Continues with the last turn that is stored. */
  async resume(): Promise<void> {
    const { known, context } = this.#input;
    if (known === undefined) return;
    const { storage } = context;
    this.#attempt = await storage.read.findAttempt({ id: known.attemptId });
    this.#count = known.turns - 1;
    // a turn that was not complete is written again as it was: nothing in it was closed
    if (known.fingerprint === "") return;
    const executions = await storage.read.listExecutions({ attemptId: known.attemptId });
    const last = executions[known.turns - 1];
    if (last === undefined) return;
    const attemptId = known.attemptId;
    for (let from = String(this.#ids.message(last.id)), hasMore = true; hasMore; ) {
      const page = await storage.read.listConversationMessages({ attemptId, from, limit: 500 });
      for (const message of page.messages) this.#stored.set(message.id, message);
      const next = page.messages.at(-1)?.id;
      hasMore = page.hasMore && next !== undefined && next !== from;
      from = next ?? from;
    }
  }

  restart(): void {
    this.#count = 0;
    this.#turns = [];
    this.#current = undefined;
    this.#size = 0;
  }

  beginTurn(turn: Turn): ExecutionId {
    this.#current?.close();
    this.#firstPrompt ??= turn.text;
    this.#count += 1;
    const { attemptId, taskId } = this.#owner();
    const owner = { attemptId, taskId };
    const { present } = this.#input;
    this.#current = new ImportedTurn({ turn, number: this.#count, ids: this.#ids, owner, present });
    this.#turns.push(this.#current);
    return this.#current.executionId;
  }

  output(output: AgentOutput): void {
    this.#current?.add(output);
    this.#size += 1;
  }

  endTurn(end: TurnEnd, at: number): void {
    this.#current?.addEnd(end, at);
  }

  title(title: string): void {
    this.#title = title;
  }

  problem(problem: Omit<ImportProblem, "sessionId">): void {
    this.#input.onProblem({ ...problem, sessionId: this.#input.session.id.slice(0, 300) });
  }

  countLine(): void {
    this.#input.onLine();
  }

  pause(): Promise<void> | undefined {
    if (this.#size >= this.#batch.size) return this.#commitAlongside();
    if (performance.now() < this.#sliceEnd) return undefined;
    return this.#giveWay();
  }

  async finish(): Promise<void> {
    await this.#committing;
    if (this.#count === 0) return;
    this.#current?.close();
    await this.#commit({ isComplete: true });
  }

  async #giveWay(): Promise<void> {
    this.#input.signal.throwIfAborted();
    await new Promise((resolve) => setImmediate(resolve));
    this.#sliceEnd = performance.now() + sliceMs;
  }

  /** While one part waits for the disk, the next one is read, and no further: memory stays small. */
  async #commitAlongside(): Promise<void> {
    await this.#committing;
    const committing = this.#commit({ isComplete: false });
    this.#committing = committing;
    // reported by the next one that waits for it
    committing.catch(() => {});
    // its ids are needed for what follows
    if (this.#attempt === undefined) await committing;
    await this.#giveWay();
  }

  async #commit({ isComplete }: { isComplete: boolean }): Promise<void> {
    this.#input.signal.throwIfAborted();
    const turns = this.#turns;
    const current = this.#current;
    this.#turns = current === undefined || isComplete ? [] : [current];
    this.#size = 0;
    const parts = turns.map((turn) => ({ execution: turn.toExecution(), isComplete: turn !== current || isComplete, ...turn.take() }));
    const place = { turn: current?.turn, count: this.#count, isComplete };
    this.#attempt = await this.#input.context.storage.transaction(async (tx) => {
      const endMeasure = this.#batch.measure();
      const attempt = this.#attempt ?? (await this.#insertTask(tx));
      await tx.putImportedSession(this.#toRow(attempt, place));
      for (const part of parts) await this.#writeTurn(tx, attempt, part);
      if (isComplete) await this.#touchTask(tx, attempt);
      endMeasure();
      return attempt;
    });
    this.hasWritten = true;
    this.#input.onMessages(parts.reduce((sum, { messages }) => sum + messages.length, 0));
  }

  async #writeTurn(
    tx: StorageTransaction,
    { taskId, id: attemptId }: Attempt,
    {
      execution,
      isComplete,
      conversation,
      messages,
    }: ReturnType<ImportedTurn["take"]> & { execution: ReturnType<ImportedTurn["toExecution"]>; isComplete: boolean },
  ): Promise<void> {
    const at = this.#input.context.now();
    const { id: executionId, status } = execution;
    await tx.putImportedExecution(execution);
    await tx.putMessages(messages);
    const shown = conversation.filter(({ id }) => !this.#stored.has(id));
    await tx.addConversationMessages({
      taskId,
      attemptId,
      executionId,
      messages: [...this.#takeRenewed(conversation, isComplete), ...shown],
      at,
    });
    if (isComplete && execution.number > this.#reported())
      await tx.appendEvent({ type: "execution:completed", taskId, attemptId, executionId, status, execution }, at);
  }

  /** The number of executions whose end earlier imports have reported: each is reported once. */
  #reported(): number {
    const { known, isDeleted } = this.#input;
    if (known === undefined || isDeleted) return 0;
    return known.fingerprint === "" ? known.turns - 1 : known.turns;
  }

  /**
   * Messages that are stored, and were closed at the end of the session: those that have continued since get a higher revision. They are
   * known when their turn is complete.
   */
  #takeRenewed(conversation: readonly ConversationMessage[], isComplete: boolean): ConversationMessage[] {
    for (const message of conversation) if (this.#stored.has(message.id)) this.#again.set(message.id, message);
    if (!isComplete) return [];
    const renewed = [...this.#again.values()].flatMap((message) => {
      const revision = this.#stored.get(message.id)?.revision ?? 0;
      const isSame = isDeepStrictEqual(toPlain({ ...message, revision }), toPlain(this.#stored.get(message.id)));
      return isSame ? [] : [{ ...message, revision: Math.max(message.revision, revision + 1) }];
    });
    this.#again.clear();
    this.#stored.clear();
    return renewed;
  }

  #owner(): Pick<Attempt, "taskId"> & { attemptId: Attempt["id"] } {
    if (this.#attempt !== undefined) return { taskId: this.#attempt.taskId, attemptId: this.#attempt.id };
    return { taskId: this.#taskId(), attemptId: this.#ids.attempt(this.#startedAt) };
  }

  /** The sessions of one task began at different times. */
  #taskId(): Task["id"] {
    return this.#ids.task(this.#input.session.task === undefined ? this.#startedAt : 0);
  }

  #toRow(attempt: Attempt, place: { turn: Turn | undefined; count: number; isComplete: boolean }): ImportedSession {
    const { turn, count, isComplete } = place;
    const { source, session, known, context } = this.#input;
    return {
      ...{ source, sessionId: session.id, attemptId: attempt.id, generation: this.#generation },
      fingerprint: isComplete ? session.fingerprint : count === this.#reported() ? (known?.fingerprint ?? "") : "",
      position: turn?.position ?? known?.position ?? 0,
      turnKey: turn?.mark ?? known?.turnKey ?? "",
      turns: count,
      importedAt: context.now(),
    };
  }

  async #insertTask(tx: StorageTransaction): Promise<Attempt> {
    const { context, session, folder } = this.#input;
    const at = context.now();
    const project = await findOrAddProject(tx, context, { folder, at });
    const task = await this.#findOrAddTask(tx, project.id, at);
    const others = await tx.listAttempts({ taskId: task.id });
    const attempt: Attempt = {
      ...{ id: this.#ids.attempt(this.#startedAt), taskId: task.id },
      number: Math.max(0, ...others.map(({ number }) => number)) + 1,
      agent: session.agent,
      model: null,
      permissionMode: "ask",
      systemPrompt: "",
      // a session belongs to its folder
      isolation: "in-place",
      directory: project.path,
      branch: null,
      baseBranch: null,
      baseCommit: null,
      sessionId: session.agentSessionId,
      continuedFrom: null,
      active: true,
      createdAt: session.startedAt,
      updatedAt: session.updatedAt,
    };
    await tx.insertAttempt(attempt);
    await tx.appendEvent({ type: "task:attempt-created", taskId: task.id, attempt }, at);
    return attempt;
  }

  async #findOrAddTask(tx: StorageTransaction, projectId: Task["projectId"], at: number): Promise<Task> {
    const { context, session } = this.#input;
    const id = this.#taskId();
    const known = await tx.findTask({ id });
    if (known !== undefined) return known;
    const prompt = this.#firstPrompt ?? "";
    const title = session.task?.title ?? this.#title ?? session.title ?? toTaskTitle(prompt);
    const task: Task = {
      id,
      projectId,
      ...taskFieldsSchema.parse({ title: toTaskTitle(title) || "Untitled" }),
      description: session.task?.description ?? (prompt.length > longestDescription ? "" : prompt),
      status: session.task?.status ?? "done",
      position: await behindAll(tx, projectId),
      archived: context.settings.general().importAs === "archived",
      activeAttemptId: null,
      createdAt: session.startedAt,
      updatedAt: session.updatedAt,
    };
    await tx.insertTask(task);
    await tx.appendEvent({ type: "task:created", taskId: id, task }, at);
    return task;
  }

  /** The activity of a task is computed from its executions: lists show it once they know that it has changed. */
  async #touchTask(tx: StorageTransaction, attempt: Attempt): Promise<void> {
    const task = await tx.findTask({ id: attempt.taskId });
    if (task === undefined) return;
    const { updatedAt } = this.#input.session;
    if (attempt.updatedAt < updatedAt) await tx.updateAttempt({ ...attempt, updatedAt });
    const updated: Task = { ...task, updatedAt: Math.max(task.updatedAt, this.#input.session.updatedAt) };
    await tx.updateTask(updated);
    await tx.appendEvent({ type: "task:updated", taskId: task.id, task: updated }, this.#input.context.now());
  }
}

/** As it is stored. */
function toPlain(message: ConversationMessage | undefined): unknown {
  return message === undefined ? undefined : JSON.parse(JSON.stringify(message));
}
