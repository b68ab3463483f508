import {
  type Actor,
  type Attempt,
  attemptSchema,
  type createAttemptSchema,
  createId,
  type ForkPoint,
  type MessageId,
  type RaceId,
  type Task,
  type TaskId,
} from "@skein/contracts";
import { listAfterFork, ServiceError, type StorageTransaction } from "@skein/engine";
import type { AttemptFolder, AttemptPoint } from "@skein/host";
import type { z } from "zod";
import { toAttemptFolder } from "../executions/attempt-folder.ts";
import { onThisNode } from "../is-elsewhere.ts";
import { copyTrustedFiles } from "../repository/prepare-worktree.ts";
import { checkAgent } from "./check-agent.ts";
import { getProject, getTask } from "./lookup.ts";
import { refusePlanMode } from "./refuse-plan-mode.ts";
import type { ServiceContext } from "./service-context.ts";

type Input = z.output<typeof createAttemptSchema> & { by?: Actor };

/** Creates attempts with their folders. */
export interface AttemptCreation {
  /** Idempotent by id, also while the first call is running. */
  create(taskId: TaskId, input: Input): Promise<Attempt>;
  /** Like `create`, for a task that `save` may insert first. `save` runs in the transaction that saves the attempt. */
  createWith<Result>(task: Task, input: Input, save: SaveAttempt<Result>): Promise<Result>;
  /** The attempts of a race, all or none; the first one becomes active. `save` runs in the transaction that saves them. */
  createRace<Result>(task: Task, raceId: RaceId, inputs: readonly Input[], save: SaveRace<Result>): Promise<Result>;
}

/** `insert` saves the attempt; its task must exist by then. */
type SaveAttempt<Result> = (tx: StorageTransaction, attempt: Attempt, insert: () => Promise<void>) => Promise<Result>;

/** An attempt with its folder, which is not saved yet. */
interface MadeAttempt {
  attempt: Attempt;
  insert(tx: StorageTransaction): Promise<void>;
}
type SaveRace<Result> = (tx: StorageTransaction, made: readonly MadeAttempt[]) => Promise<Result>;

/** Serialises the creation of attempts per task. */
export function createAttemptCreation(context: ServiceContext): AttemptCreation {
  /** The last creation per task: concurrent ones would take the same number. */
  const last = new Map<TaskId, Promise<unknown>>();

  function inTurn<Result>(taskId: TaskId, create: () => Promise<Result>): Promise<Result> {
    const created = Promise.allSettled([last.get(taskId)]).then(create);
    last.set(taskId, created);
    const forget = () => {
      if (last.get(taskId) === created) last.delete(taskId);
    };
    created.then(forget, forget);
    return created;
  }

  return {
    create: (taskId, input) =>
      inTurn(taskId, async () => {
        const made = input.id === undefined ? undefined : await context.storage.read.findAttempt({ id: input.id });
        if (made !== undefined) return assertOfTask(made, taskId);
        const task = await getTask(context.storage.read, taskId);
        return createAttempt(context, task, input, async (_tx, attempt, insert) => {
          await insert();
          return attempt;
        });
      }),
    createWith: (task, input, save) => inTurn(task.id, () => createAttempt(context, task, input, save)),
    createRace: (task, raceId, inputs, save) => {
      // each folder is removed again if a later one, or the transaction, fails
      const createRest = (made: readonly MadeAttempt[]): ReturnType<typeof save> => {
        const next = inputs[made.length];
        if (next === undefined) return context.storage.transaction((tx) => save(tx, made));
        return makeAttempt(context, task, next, { raceId, index: made.length }, (one) => createRest([...made, one]));
      };
      return inTurn(task.id, () => createRest([]));
    },
  };
}

function assertOfTask(attempt: Attempt, taskId: TaskId): Attempt {
  if (attempt.taskId === taskId) return attempt;
  throw new ServiceError("conflict", { code: "attempt-id-taken", id: attempt.id });
}

function createAttempt<Result>(context: ServiceContext, task: Task, input: Input, save: SaveAttempt<Result>): Promise<Result> {
  return makeAttempt(context, task, input, undefined, ({ attempt, insert }) =>
    context.storage.transaction((tx) => save(tx, attempt, () => insert(tx))),
  );
}

/** Makes the folder, then calls `save`; if that rejects, what was made is removed. */
async function makeAttempt<Result>(
  context: ServiceContext,
  task: Task,
  input: Input,
  race: { raceId: RaceId; index: number } | undefined,
  save: (made: MadeAttempt) => Promise<Result>,
): Promise<Result> {
  const { storage } = context;
  const { workspaces } = context.host;
  const taskId = task.id;
  const id = input.id ?? createId("att", context.now());
  const project = await getProject(storage.read, task.projectId);
  const { source, point } = await findSource(context, task, input);
  const keys = (await context.findKeys?.({ projectId: project.id, by: input.by })) ?? {};
  const hostId = input.host === undefined ? undefined : await context.workers.choose(input.host, input.agent);
  const model = await checkAgent(context, input, { directory: project.path, mustStart: false, keys });
  const permissionMode = input.permissionMode ?? context.settings.defaults().permissionMode ?? "ask";
  refusePlanMode(context, { agent: input.agent, permissionMode });
  checkSession(context, input);
  const number = Math.max(0, ...(await storage.read.listAttempts({ taskId })).map((attempt) => attempt.number)) + 1 + (race?.index ?? 0);
  const isRepeated = input.id !== undefined;
  return context.creations.during({ id, hostId: hostId ?? null, isRepeated }, async () => {
    const { base, ...place } = await workspaces.create({
      id,
      ...(hostId === undefined ? {} : { hostId }),
      project: { id: project.id, path: project.path },
      isolation: input.isolation,
      taskTitle: task.title,
      number,
      baseBranch: input.baseBranch,
      ...(source === undefined ? {} : { source: { ...toAttemptFolder(source, project), baseBranch: source.baseBranch } }),
      ...(point === undefined ? {} : { sourcePoint: point }),
    });
    const at = context.now();
    // parsed, so that it equals what storage will return
    const attempt = attemptSchema.parse({
      ...{ id, taskId, number, agent: input.agent, model, isolation: input.isolation, ...place },
      ...(hostId === undefined ? {} : { hostId }),
      ...onThisNode(storage),
      permissionMode,
      ...(input.agentAccess === undefined ? {} : { agentAccess: input.agentAccess }),
      sandbox: input.sandbox ?? source?.sandbox ?? context.settings.general().sandbox.default,
      systemPrompt: input.systemPrompt ?? source?.systemPrompt ?? "",
      baseBranch: base.branch,
      baseCommit: base.commit,
      sessionId: null,
      ...(input.by === undefined ? {} : { by: input.by }),
      ...(input.session === undefined ? {} : { resumedSession: input.session }),
      continuedFrom: source?.id ?? null,
      ...(input.forkFrom === undefined ? {} : { forkedFrom: input.forkFrom }),
      active: race === undefined || race.index === 0,
      ...(race === undefined ? {} : { raceId: race.raceId }),
      createdAt: at,
      updatedAt: at,
    });
    const folder = toAttemptFolder(attempt, project);
    await copyTrustedFiles({ files: workspaces, project, attempt, trust: context.repositoryTrust });
    const result = await save({
      attempt,
      async insert(tx) {
        await tx.insertAttempt(attempt);
        if (source !== undefined) await copyCompression(tx, source, attempt, await listAfter(tx, source, input.forkFrom));
        await tx.appendEvent({ type: "task:attempt-created", taskId, attempt }, at);
      },
    });
    if (place.branch === null) await prepareInPlace(context, folder);
    return result;
  });
}

/** Records the files before the agent starts. If that fails, the first diff does it or reports the reason. */
async function prepareInPlace({ host, logger }: ServiceContext, attempt: AttemptFolder): Promise<void> {
  await host.workspaces
    .prepareInPlace(attempt)
    .catch((error: unknown) => logger.warn("the files of an attempt in place could not be read", { attemptId: attempt.id, error }));
}

/** Whether the agent still has the session shows when the first message resumes it. */
function checkSession({ agents }: ServiceContext, { agent, session, isolation, continueFrom, forkFrom }: Input): void {
  if (session === undefined) return;
  const adapter = agents.find(agent);
  if (adapter?.listSessions === undefined) {
    throw new ServiceError("invalid", { code: "sessions-not-offered", agent: adapter?.name ?? agent });
  }
  if (isolation !== "in-place") throw new ServiceError("invalid", { code: "session-needs-project-folder" });
  if (continueFrom !== undefined || forkFrom !== undefined) throw new ServiceError("invalid", { code: "session-or-attempt" });
}

/** The attempt that the new one continues or is forked from. */
async function findSource(context: ServiceContext, task: Task, input: Input): Promise<{ source?: Attempt; point?: AttemptPoint }> {
  if (input.forkFrom === undefined) return input.continueFrom === undefined ? {} : { source: await getSource(context, task, input) };
  if (input.continueFrom !== undefined) throw new ServiceError("invalid", { code: "fork-or-continue" });
  if (input.isolation === "in-place") throw new ServiceError("invalid", { code: "fork-needs-worktree" });
  return getForkSource(context, task, input.forkFrom);
}

/** Throws unless the execution belongs to the task and has reached the point. */
export async function getForkSource(
  { storage, supervisor }: Pick<ServiceContext, "storage" | "supervisor">,
  task: Pick<Task, "id">,
  point: ForkPoint,
): Promise<{ source: Attempt; point: AttemptPoint }> {
  const { executionId: id, at } = point;
  const execution = await storage.read.findExecution({ id });
  const source = execution && (await storage.read.findAttempt({ id: execution.attemptId }));
  if (source === undefined || execution === undefined || source.taskId !== task.id) {
    throw new ServiceError("invalid", { code: "fork-source-not-found", id });
  }
  if (at === "end" && execution.status === "running") throw new ServiceError("conflict", { code: "agent-working" });
  const executions = await storage.read.listExecutions({ attemptId: source.id });
  const earlier = executions.flatMap((one) => (one.number < execution.number ? [one.id] : []));
  // the files that an execution left are recorded after it has ended
  const recorded = at === "end" ? id : earlier.at(-1);
  if (recorded !== undefined) await supervisor.waitUntilSettled(recorded);
  return { source, point: { ...point, earlier } };
}

async function getSource({ storage }: ServiceContext, task: Task, { continueFrom, isolation }: Input): Promise<Attempt> {
  const source = continueFrom && (await storage.read.findAttempt({ id: continueFrom }));
  if (!source || source.taskId !== task.id) {
    throw new ServiceError("invalid", { code: "source-not-found", id: continueFrom ?? "" });
  }
  if (source.isolation === "worktree" && isolation === "in-place") {
    throw new ServiceError("invalid", { code: "source-in-worktree", attempt: source.number });
  }
  return source;
}

/** Messages of the source that a fork does not have. */
async function listAfter(tx: StorageTransaction, source: Attempt, point: ForkPoint | undefined): Promise<ReadonlySet<MessageId>> {
  const executions = await tx.listExecutions({ attemptId: source.id });
  const places = await Promise.all(listAfterFork(executions, point).map((executionId) => tx.listMessagePlaces({ executionId })));
  return new Set(places.flat().map(({ id }) => id));
}

/**
 * The new attempt uses the compression of the attempt that it continues from, until it is compressed itself. A summary of messages that
 * it does not have is left out: it would reveal to the agent what happened after the fork.
 */
async function copyCompression(
  tx: StorageTransaction,
  source: Attempt,
  { id: attemptId, createdAt: at }: Attempt,
  missing: ReadonlySet<MessageId>,
): Promise<void> {
  const { summary, pruning } = await tx.getCompression({ attemptId: source.id });
  const copy = summary?.messageIds.some((id) => missing.has(id)) ? null : summary && { ...summary, id: createId("sum", at), attemptId };
  const results = pruning?.results.filter(({ messageId }) => !missing.has(messageId)) ?? [];
  if (copy === null && results.length === 0) return;
  await tx.saveCompression({ attemptId, expectedSummaryId: null, summary: copy, pruning: pruning && { ...pruning, results }, at });
}
