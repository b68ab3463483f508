import { type Actor, createId, type StartedRace, type startRaceSchema } from "@skein/contracts";
import type { z } from "zod";
import { type PreparedExecution, prepareExecution } from "../executions/prepare-execution.ts";
import { countAgentStart, hashRequest, refuseReusedId } from "./agent-starts.ts";
import { checkMessage, launchInBackground } from "./commands.ts";
import type { AttemptCreation } from "./create-attempt.ts";
import { putTaskBudget } from "./held-executions.ts";
import { getProject, getTask, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { checkAttempt, chooseAgent, findStarted, shareById, toNewTask } from "./start-task.ts";

type Input = z.output<typeof startRaceSchema>;

/**
 * Sends one message to several new attempts of a task (L4). Predictable failures of all of them are checked before anything is created;
 * everything is saved in one transaction, so a repeated request, or a server that was killed, finds the whole race or nothing.
 */
export function createRaceStart(context: ServiceContext, creation: AttemptCreation): (input: Input, by?: Actor) => Promise<StartedRace> {
  return shareById((input, by) => startOnce(context, creation, input, by));
}

async function startOnce(context: ServiceContext, creation: AttemptCreation, input: Input, by: Actor | undefined): Promise<StartedRace> {
  const { storage, now } = context;
  await refuseReusedId(storage.read, input);
  const known = await findRace(context, input.id);
  if (known !== undefined) return known;
  const { message, images = null } = input;
  const pictures = images ?? [];
  checkMessage({ message, images: pictures });
  const isNew = !("id" in input.task);
  const task = "id" in input.task ? await getTask(storage.read, input.task.id) : await toNewTask(context, input.task, { message, by });
  const project = await getProject(storage.read, task.projectId);
  const attempts: Parameters<AttemptCreation["createRace"]>[2][number][] = [];
  for (const attempt of input.attempts) {
    const chosen = await chooseAgent(context, task, { ...attempt, isolation: "worktree" });
    await checkAttempt(context, project, chosen, by);
    attempts.push({ ...chosen, ...(by === undefined ? {} : { by }) });
  }
  const after = await storage.read.getLastSeq();
  const raceId = createId("rac", now());
  const { result, started } = await creation.createRace(task, raceId, attempts, async (tx, made) => {
    const at = now();
    if (isNew) {
      await getProject(tx, project.id);
      await tx.insertTask(task);
      await tx.appendEvent({ type: "task:created", taskId: task.id, task }, at);
    }
    // an agent must not raise its own
    if (input.budget !== undefined && by?.agent === undefined) await putTaskBudget(tx, task.id, input.budget);
    const prepared: PreparedExecution[] = [];
    for (const { attempt, insert } of made) {
      await insert(tx);
      const one = await prepareExecution(tx, { task: await getTask(tx, task.id), attempt, message, images: pictures, at, by });
      await countAgentStart(tx, { subject: one.execution.id, attemptId: attempt.id, by, at });
      prepared.push(one);
    }
    const executionIds = prepared.map(({ execution }) => execution.id);
    const [first] = executionIds;
    await tx.recordCommand({ id: input.id, result: { executionId: first }, contentHash: hashRequest(input), at });
    const saved: StartedRace = {
      task: await getTask(tx, task.id),
      raceId,
      attempts: made.map(({ attempt }) => attempt),
      executionIds,
      after,
    };
    return { result: saved, started: prepared };
  });
  for (const one of started) launchInBackground(context, one);
  return result;
}

/** The race that an earlier request with this id started. */
async function findRace(context: ServiceContext, id: string): Promise<StartedRace | undefined> {
  const { read } = context.storage;
  const known = await findStarted(context, id);
  if (known === undefined) return undefined;
  const { task, attempt, after } = known;
  const { raceId } = attempt;
  if (raceId === undefined) return missing("attempt", attempt.id);
  const attempts = (await read.listAttempts({ taskId: task.id })).filter((one) => one.raceId === raceId);
  const first = await Promise.all(attempts.map(async (one) => (await read.listExecutionIds({ attemptId: one.id })).slice(0, 1)));
  return { task, raceId, attempts, executionIds: first.flat(), after };
}
