import {
  type Actor,
  type Attempt,
  type Command,
  type CommandResult,
  createId,
  type ImagePart,
  type QueuedMessage,
  type Task,
} from "@skein/contracts";
import { findImageProblem, imageLimits, ServiceError, type StorageReader, type StorageTransaction } from "@skein/engine";
import { reportQueue, startNext } from "../executions/message-queue.ts";
import { type PreparedExecution, prepareExecution, prepareRetry } from "../executions/prepare-execution.ts";
import { countAgentStart, hashRequest, refuseReusedId, repeatAgentStart } from "./agent-starts.ts";
import { getTask } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { CommandService } from "./task-services.ts";

type SendMessage = Extract<Command, { type: "SEND_MESSAGE" }>;
type StopExecution = Extract<Command, { type: "STOP_EXECUTION" }>;
type RetryExecution = Extract<Command, { type: "RETRY_EXECUTION" }>;
type ResumeQueue = Extract<Command, { type: "RESUME_QUEUE" }>;
/** When a command was sent, and by whom. */
interface Sent {
  at: number;
  by: Actor | undefined;
}

interface Outcome {
  result: CommandResult;
  start?: PreparedExecution;
  steer?: QueuedMessage;
}

/** Handles the commands of `POST /api/commands`: send, stop, retry, resume. Each command id takes effect once. */
export function createCommandService(context: ServiceContext): CommandService {
  const { storage, supervisor, now } = context;
  return {
    async execute(command, alongside = async () => {}, by) {
      if (command.type === "STOP_EXECUTION") return stop(command);
      // one transaction decides: two concurrent messages cannot both find the attempt idle
      const outcome = await storage.transaction(async (tx) => {
        const repeated = command.id === undefined ? undefined : await tx.findCommandResult({ id: command.id });
        if (repeated !== undefined && command.id !== undefined) await refuseReusedId(tx, { ...command, id: command.id });
        if (repeated !== undefined) return { result: repeated };
        const task = await getTask(tx, command.taskId);
        const decided = await decide(tx, task, command, { at: now(), by });
        const { nodeId, hostId } = decided.start?.attempt ?? {};
        // otherwise it would wait for a server that may never return; an attempt on a worker is started by any
        if (nodeId !== undefined && !hostId) await context.node?.membership.getAlive(nodeId);
        await alongside(tx, decided.result);
        if (command.id !== undefined)
          await tx.recordCommand({ id: command.id, result: decided.result, contentHash: hashRequest(command), at: now() });
        return decided;
      });
      if (outcome.start !== undefined) launchInBackground(context, outcome.start);
      if (outcome.steer !== undefined && outcome.result.executionId !== undefined)
        supervisor.steer(outcome.result.executionId, outcome.steer);
      return outcome.result;
    },
  };

  /** Stops even if nothing can be written: the agent to be stopped may be filling the disk. */
  async function stop(command: StopExecution): Promise<CommandResult> {
    const { read } = storage;
    const { id } = command;
    const repeated = id === undefined ? undefined : await read.findCommandResult({ id });
    if (repeated !== undefined) return repeated;
    const result = await findRunning(read, await getTask(read, command.taskId), command);
    const { executionId } = result;
    if (executionId !== undefined) supervisor.stop(executionId);
    if (id === undefined && executionId === undefined) return result;
    // a worker that is offline gets it when it is back, also from another server
    const record = storage.transaction(async (tx) => {
      if (executionId !== undefined) await tx.requestStop({ executionId, at: now() });
      if (id !== undefined && (await tx.findCommandResult({ id })) === undefined) await tx.recordCommand({ id, result, at: now() });
    });
    await record.catch((error: unknown) =>
      context.logger.warn("the execution was stopped, but the command could not be recorded", { id, executionId, error }),
    );
    return result;
  }
}

function decide(tx: StorageTransaction, task: Task, command: Exclude<Command, StopExecution>, sent: Sent): Promise<Outcome> {
  switch (command.type) {
    case "SEND_MESSAGE":
      return sendMessage(tx, task, command, sent);
    case "RETRY_EXECUTION":
      return retryExecution(tx, task, command, sent);
    case "RESUME_QUEUE":
      return resumeQueue(tx, task, command, sent.at);
  }
}

/** Launches a prepared execution without waiting for it. A failure is logged. */
export function launchInBackground({ supervisor, logger }: ServiceContext, prepared: PreparedExecution): void {
  supervisor.launch(prepared).catch((error: unknown) => {
    logger.error("execution could not be launched", { executionId: prepared.execution.id, error });
  });
}

/** Throws a `ServiceError` for an invalid message. */
export function checkMessage({ message, images }: { message: string; images: readonly ImagePart[] }): void {
  refuseLargeImages(images);
  if (message.trim() === "" && images.length === 0) {
    throw new ServiceError("invalid", { code: "empty-message" });
  }
}

async function sendMessage(tx: StorageTransaction, task: Task, command: SendMessage, { at, by }: Sent): Promise<Outcome> {
  const images = command.images ?? [];
  checkMessage({ message: command.message, images });
  const attempt = await findAttempt(tx, task, command);
  const [running] = await tx.listRunningExecutions({ attemptId: attempt.id });
  if (running === undefined) {
    const start = await prepareExecution(tx, { task, attempt, message: command.message, images, at, by });
    await countAgentStart(tx, { subject: start.execution.id, attemptId: attempt.id, by, at });
    return { result: { executionId: start.execution.id }, start };
  }
  const id = createId("que", at);
  const steer = command.steer ?? false;
  const waiting: QueuedMessage = {
    id,
    taskId: task.id,
    attemptId: attempt.id,
    message: command.message,
    images,
    steer,
    ...(by === undefined ? {} : { by }),
    createdAt: at,
  };
  await tx.insertQueuedMessage(waiting);
  await countAgentStart(tx, { subject: id, attemptId: attempt.id, by, at });
  await reportQueue(tx, waiting, at);
  // stored in the queue like every other: if the agent ends before taking it, it is sent next
  return steer ? { result: { queued: id, executionId: running.id }, steer: waiting } : { result: { queued: id } };
}

async function retryExecution(tx: StorageTransaction, task: Task, command: RetryExecution, { at, by }: Sent): Promise<Outcome> {
  const attempt = await findAttempt(tx, task, command);
  const last = (await tx.listExecutions({ attemptId: attempt.id })).at(-1);
  if (last === undefined || last.id !== command.executionId || last.status === "running" || last.code !== "not-answered") {
    throw new ServiceError("conflict", { code: "cannot-retry" });
  }
  const [first] = await tx.listMessagePlaces({ executionId: last.id });
  const sent = first && (await tx.findMessage({ id: first.id }));
  if (sent === undefined) throw new Error(`The execution ${last.id} has no message.`);
  const start = await prepareRetry(tx, { task, attempt, sent, at, by });
  if (by?.tokenId === undefined) await repeatAgentStart(tx, { from: last.id, to: start.execution.id, at });
  else await countAgentStart(tx, { subject: start.execution.id, attemptId: attempt.id, by, at });
  return { result: { executionId: start.execution.id }, start };
}

/** A second “Continue”, for example from another tab, finds the queue running and starts nothing. */
async function resumeQueue(tx: StorageTransaction, task: Task, command: ResumeQueue, at: number): Promise<Outcome> {
  const { id: attemptId } = await findAttempt(tx, task, command);
  if ((await tx.getQueue({ attemptId })).queuePause === null) return { result: {} };
  const owner = { taskId: task.id, attemptId };
  await tx.setQueuePause({ attemptId, pause: null });
  const [running] = await tx.listRunningExecutions({ attemptId });
  const start = running === undefined ? await startNext(tx, owner, at) : undefined;
  if (start === undefined) {
    await reportQueue(tx, owner, at);
    return { result: {} };
  }
  return { result: { executionId: start.execution.id }, start };
}

async function findRunning(reader: StorageReader, task: Task, command: StopExecution): Promise<CommandResult> {
  const attemptId = command.attemptId === undefined ? task.activeAttemptId : (await findAttempt(reader, task, command)).id;
  const [current] = attemptId === null ? [] : await reader.listRunningExecutions({ attemptId });
  return current === undefined ? {} : { executionId: current.id };
}

/** The attempt that the command names, or the active one. */
async function findAttempt(reader: StorageReader, task: Task, command: Command): Promise<Attempt> {
  const id = command.attemptId ?? task.activeAttemptId;
  const attempt = id === null ? undefined : await reader.findAttempt({ id });
  if (command.attemptId !== undefined && attempt?.taskId !== task.id) {
    throw new ServiceError("not-found", { code: "attempt-not-found", id: command.attemptId });
  }
  if (attempt === undefined) {
    throw new ServiceError("conflict", { code: "no-attempt" });
  }
  return attempt;
}

/** Agents and browsers fail on such images, which may be only a few kilobytes. */
function refuseLargeImages(images: readonly ImagePart[]): void {
  for (const { data } of images) {
    const problem = findImageProblem(data);
    if (problem?.kind !== "too-large") continue;
    const { width, height } = problem.header;
    const { agentEdge: maxEdge, shownPixels: maxPixels } = imageLimits;
    throw new ServiceError("invalid", { code: "image-too-large", width, height, maxEdge, maxPixels });
  }
}
