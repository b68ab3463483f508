import { type Attempt, type Command, type CommandResult, createId, type ImagePart, type QueuedMessage, type Task } from "@skein/contracts";
import { findImageProblem, imageLimits, type StorageTransaction } from "@skein/engine";
import { type PreparedExecution, prepareExecution } from "../executions/prepare-execution.ts";
import { getTask } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { ServiceError } from "./service-error.ts";
import type { Services } from "./services.ts";

type SendMessage = Extract<Command, { type: "SEND_MESSAGE" }>;
interface Outcome {
  result: CommandResult;
  start?: PreparedExecution;
  steer?: QueuedMessage;
  stop?: boolean;
}

export function createCommandService(context: ServiceContext): Services["commands"] {
  const { storage, supervisor, now } = context;
  return {
    async execute(command) {
      // one transaction decides: two messages at once cannot both find the attempt idle
      const outcome = await storage.transaction(async (tx) => {
        const repeated = command.id === undefined ? undefined : await tx.findCommandResult({ id: command.id });
        if (repeated !== undefined) return { result: repeated };
        const task = await getTask(tx, command.taskId);
        const decided =
          command.type === "SEND_MESSAGE" ? await sendMessage(tx, task, command, now()) : await findRunning(tx, task, command);
        if (command.id !== undefined) await tx.recordCommand({ id: command.id, result: decided.result, at: now() });
        return decided;
      });
      if (outcome.start !== undefined) {
        const { execution } = outcome.start;
        supervisor.launch(outcome.start).catch((error: unknown) => {
          context.logger.error("execution could not be launched", { executionId: execution.id, error });
        });
      }
      if (outcome.steer !== undefined && outcome.result.executionId !== undefined)
        supervisor.steer(outcome.result.executionId, outcome.steer);
      if (outcome.stop && outcome.result.executionId !== undefined) supervisor.stop(outcome.result.executionId);
      return outcome.result;
    },
  };
}

async function sendMessage(tx: StorageTransaction, task: Task, command: SendMessage, at: number): Promise<Outcome> {
  const images = command.images ?? [];
  refuseLargeImages(images);
  if (command.message.trim() === "" && images.length === 0) {
    throw new ServiceError("invalid", "empty-message", "The message is empty. Write something, or add an image.");
  }
  const attempt = await findAttempt(tx, task, command);
  const [running] = await tx.listRunningExecutions({ attemptId: attempt.id });
  if (running === undefined) {
    const start = await prepareExecution(tx, { task, attempt, message: command.message, images, at });
    return { result: { executionId: start.execution.id }, start };
  }
  const id = createId("que", at);
  const steer = command.steer ?? false;
  const waiting: QueuedMessage = { id, taskId: task.id, attemptId: attempt.id, message: command.message, images, steer, createdAt: at };
  await tx.insertQueuedMessage(waiting);
  const queue = await tx.listQueuedMessages({ attemptId: attempt.id });
  await tx.appendEvent({ type: "queue:changed", taskId: task.id, attemptId: attempt.id, queue }, at);
  // durable like every other that waits: if the agent ends before it takes it, it is sent as the next one
  return steer ? { result: { queued: id, executionId: running.id }, steer: waiting } : { result: { queued: id } };
}

async function findRunning(tx: StorageTransaction, task: Task, command: Command): Promise<Outcome> {
  const attemptId = command.attemptId === undefined ? task.activeAttemptId : (await findAttempt(tx, task, command)).id;
  const [current] = attemptId === null ? [] : await tx.listRunningExecutions({ attemptId });
  return current === undefined ? { result: {} } : { result: { executionId: current.id }, stop: true };
}

/** The attempt that the command names, or the active one. */
async function findAttempt(tx: StorageTransaction, task: Task, command: Command): Promise<Attempt> {
  const id = command.attemptId ?? task.activeAttemptId;
  const attempt = id === null ? undefined : await tx.findAttempt({ id });
  if (command.attemptId !== undefined && attempt?.taskId !== task.id) {
    throw new ServiceError("not-found", "attempt-not-found", `The task ${task.id} has no attempt ${command.attemptId}.`);
  }
  if (attempt === undefined) {
    throw new ServiceError("conflict", "no-attempt", "No attempt found for this task. Please create an attempt first.");
  }
  return attempt;
}

/** Agents and browsers fail on such an image, which may have only a few kilobytes. */
function refuseLargeImages(images: readonly ImagePart[]): void {
  for (const { data } of images) {
    const problem = findImageProblem(data);
    if (problem?.kind !== "too-large") continue;
    const { width, height } = problem.header;
    const most = `${imageLimits.agentEdge} pixels on a side and ${imageLimits.shownPixels / 1_000_000} million in all`;
    throw new ServiceError("invalid", "image-too-large", `The image has ${width} × ${height} pixels. Send one with at most ${most}.`);
  }
}
