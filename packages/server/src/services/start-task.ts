import {
  type Actor,
  createId,
  longestDescription,
  type Project,
  type StartedTask,
  type startTaskSchema,
  type Task,
} from "@skein/contracts";
import { ServiceError, toTaskTitle } from "@skein/engine";
import type { z } from "zod";
import { type PreparedExecution, prepareExecution } from "../executions/prepare-execution.ts";
import { behindAll } from "../executions/task-position.ts";
import { countAgentStart, hashRequest, refuseReusedId } from "./agent-starts.ts";
import { checkAgent } from "./check-agent.ts";
import { checkMessage, launchInBackground } from "./commands.ts";
import { type AttemptCreation, getForkSource } from "./create-attempt.ts";
import { findDefaultAgent } from "./default-agent.ts";
import { putTaskBudget } from "./held-executions.ts";
import { getAttempt, getProject, getTask, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

type Input = z.output<typeof startTaskSchema>;
type AttemptInput = Parameters<AttemptCreation["createWith"]>[1];

/**
 * Creates a task and an attempt and starts its first message. Predictable failures are checked before anything is created; task,
 * attempt, message and request id are saved in one transaction, so a repeated request finds all of it or nothing.
 */
export function createTaskStart(context: ServiceContext, creation: AttemptCreation): (input: Input, by?: Actor) => Promise<StartedTask> {
  return shareById((input, by) => startOnce(context, creation, input, by));
}

/** Concurrent requests with the same id share one result. */
export function shareById<Request extends { id: string }, Result>(
  start: (input: Request, by?: Actor) => Promise<Result>,
): (input: Request, by?: Actor) => Promise<Result> {
  const starting = new Map<string, { hash: string; started: Promise<Result> }>();
  return (input, by) => {
    const hash = hashRequest(input);
    const first = starting.get(input.id);
    if (first !== undefined && first.hash !== hash) return Promise.reject(new ServiceError("conflict", { code: "request-id-reused" }));
    if (first !== undefined) return first.started;
    const started = start(input, by).finally(() => starting.delete(input.id));
    starting.set(input.id, { hash, started });
    return started;
  };
}

async function startOnce(context: ServiceContext, creation: AttemptCreation, input: Input, by: Actor | undefined): Promise<StartedTask> {
  const { storage, now } = context;
  await refuseReusedId(storage.read, input);
  const made = await findStarted(context, input.id);
  if (made !== undefined) return made;
  const images = input.images ?? [];
  checkMessage({ message: input.message, images });
  const isNew = !("id" in input.task);
  const task =
    "id" in input.task ? await getTask(storage.read, input.task.id) : await toNewTask(context, input.task, { message: input.message, by });
  const project = await getProject(storage.read, task.projectId);
  const attemptInput = await chooseAgent(context, task, input.attempt);
  await checkAttempt(context, project, attemptInput, by);
  const after = await storage.read.getLastSeq();
  const { result, prepared } = await creation.createWith(
    task,
    { ...attemptInput, ...(by === undefined ? {} : { by }) },
    async (tx, attempt, insertAttempt) => {
      const at = now();
      if (isNew) {
        await getProject(tx, project.id);
        await tx.insertTask(task);
        await tx.appendEvent({ type: "task:created", taskId: task.id, task }, at);
      }
      await insertAttempt();
      // an agent must not raise its own
      if (input.budget !== undefined && by?.agent === undefined) await putTaskBudget(tx, task.id, input.budget);
      const started = await prepareExecution(tx, { task: await getTask(tx, task.id), attempt, message: input.message, images, at, by });
      await countAgentStart(tx, { subject: started.execution.id, attemptId: attempt.id, by, at });
      await tx.recordCommand({ id: input.id, result: { executionId: started.execution.id }, contentHash: hashRequest(input), at });
      const saved: StartedTask = { task: await getTask(tx, task.id), attempt, executionId: started.execution.id, after };
      return { result: saved, prepared: started as PreparedExecution };
    },
  );
  launchInBackground(context, prepared);
  return result;
}

/** The result of an earlier request with this id. */
export async function findStarted({ storage: { read } }: ServiceContext, id: string): Promise<StartedTask | undefined> {
  const known = await read.findCommandResult({ id });
  if (known === undefined) return undefined;
  const execution = known.executionId && (await read.findExecution({ id: known.executionId }));
  if (!execution) return missing("execution", known.executionId ?? id);
  const { taskId, attemptId } = execution;
  return { task: await getTask(read, taskId), attempt: await getAttempt(read, attemptId), executionId: execution.id, after: 0 };
}

export async function toNewTask(
  { storage, now }: ServiceContext,
  input: Exclude<Input["task"], { id: unknown }>,
  { message, by }: { message: string; by: Actor | undefined },
): Promise<Task> {
  const at = now();
  // a message with images only has no text for a title
  const title = input.title ?? (toTaskTitle(message) || "Untitled");
  const words = message.trim();
  return {
    ...input,
    id: createId("tsk", at),
    title,
    // stored with the task: further attempts start from it
    description: input.description ?? (words === title || message.length > longestDescription ? "" : message),
    status: "todo",
    position: await behindAll(storage.read, input.projectId),
    archived: false,
    activeAttemptId: null,
    ...(by === undefined ? {} : { by }),
    createdAt: at,
    updatedAt: at,
  };
}

/** A fork keeps the agent of its source. The default model belongs to the default agent. */
export async function chooseAgent(context: ServiceContext, task: Task, { agent, model, ...rest }: Input["attempt"]): Promise<AttemptInput> {
  const source = rest.forkFrom && (await getForkSource(context, task, rest.forkFrom)).source;
  const byDefault = source ?? findDefaultAgent(context);
  const chosen = agent ?? byDefault.agent;
  const wanted = model ?? (chosen === byDefault.agent ? byDefault.model : null);
  const permissionMode = rest.permissionMode ?? source?.permissionMode;
  return { ...rest, agent: chosen, ...(wanted === null ? {} : { model: wanted }), ...(permissionMode && { permissionMode }) };
}

/** Throws a `ServiceError` for problems that would otherwise appear only after a branch and a worktree were created. */
export async function checkAttempt(context: ServiceContext, project: Project, input: AttemptInput, by: Actor | undefined): Promise<void> {
  if (input.host !== undefined) await context.workers.choose(input.host, input.agent);
  const keys = (await context.findKeys?.({ projectId: project.id, by })) ?? {};
  // a worker has its own agents
  const mustStart = input.host === undefined || context.agents.find(input.agent)?.capabilities.usesServerModels === true;
  await checkAgent(context, input, { directory: project.path, mustStart, keys });
  if (input.continueFrom === undefined && input.forkFrom === undefined)
    await context.host.workspaces.resolveBase({ project, branch: input.baseBranch });
}
