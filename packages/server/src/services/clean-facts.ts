import { basename } from "node:path";
import type { Attempt, EndedExecution, ExecutionId, HostId, Project, Task } from "@skein/contracts";
import { createConcurrencyLimit } from "@skein/engine";
import type { Host, HostUse } from "@skein/host";
import { toAttemptFolder } from "../executions/attempt-folder.ts";
import { isUnreachable } from "../hosts/host-directory.ts";
import { type AttemptFacts, type CleanAges, type ExecutionFacts, type WorktreeState, wantsState } from "./plan-clean.ts";
import type { ServiceContext } from "./service-context.ts";

/** A machine with attempts. `hostId` is null for the server's own. */
export interface Place {
  hostId: HostId | null;
  host: Host;
}

export type CleanContext = Pick<ServiceContext, "storage" | "host" | "now" | "logger" | "listPlaces">;

/** Each of them starts a dozen processes of git. */
const worktreesAtOnce = 2;

/** One attempt with what it belongs to. */
interface Known {
  attempt: Attempt;
  task: Task;
  project: Project;
}

/** Facts about all attempts whose folders this server manages, or about one of them. */
export async function gatherFacts(
  context: CleanContext,
  { ages, only }: { ages: CleanAges; only?: Attempt["id"] },
): Promise<AttemptFacts[]> {
  const known = only === undefined ? await listAll(context) : await findOne(context, only);
  const needsSizes = only === undefined && Object.values(ages).some((age) => age !== null);
  const places = await Promise.all(context.listPlaces().map((place) => measurePlace(place, { needsSizes })));
  const executions = new Map<Attempt["id"], EndedExecution[]>();
  for (const { attempt } of known) {
    const all = await context.storage.read.listExecutions({ attemptId: attempt.id });
    executions.set(
      attempt.id,
      all.filter((one) => one.status !== "running"),
    );
  }
  const left = await findLeft(context, places, known, executions);
  const inTurn = createConcurrencyLimit(worktreesAtOnce);
  return Promise.all(
    known.map((one) =>
      inTurn(() =>
        describeAttempt(context, one, {
          ages,
          use: places.find(({ hostId }) => hostId === (one.attempt.hostId ?? null))?.use,
          executions: executions.get(one.attempt.id) ?? [],
          left,
        }),
      ),
    ),
  );
}

async function listAll({ storage }: CleanContext): Promise<Known[]> {
  const known: Known[] = [];
  const ownId = storage.nodes?.id;
  for (const project of await storage.read.listProjects()) {
    for (const task of await storage.read.listTasks({ projectId: project.id })) {
      for (const attempt of await storage.read.listAttempts({ taskId: task.id })) {
        // another server has its folder
        if (ownId === undefined || attempt.nodeId === undefined || attempt.nodeId === ownId) known.push({ attempt, task, project });
      }
    }
  }
  return known;
}

async function findOne({ storage }: CleanContext, id: Attempt["id"]): Promise<Known[]> {
  const attempt = await storage.read.findAttempt({ id });
  const task = attempt && (await storage.read.findTask({ id: attempt.taskId }));
  const project = task && (await storage.read.findProject({ id: task.projectId }));
  return attempt === undefined || task === undefined || project === undefined ? [] : [{ attempt, task, project }];
}

interface MeasuredPlace extends Place {
  /** Undefined: it could not be measured. */
  use: HostUse | undefined;
}

/** A check right before a removal needs no sizes, and neither does a search for processes. */
async function measurePlace(place: Place, { needsSizes }: { needsSizes: boolean }): Promise<MeasuredPlace> {
  const use = !needsSizes ? undefined : await place.host.measure().catch(() => undefined);
  return { ...place, use };
}

type LeftProcesses = ReadonlyMap<ExecutionId, { pid: number; name: string }[]>;

/** Processes of executions that have ended. One scan for each machine. */
async function findLeft(
  { logger }: CleanContext,
  places: readonly Place[],
  known: readonly Known[],
  executions: ReadonlyMap<Attempt["id"], readonly EndedExecution[]>,
): Promise<LeftProcesses> {
  const left = new Map<ExecutionId, { pid: number; name: string }[]>();
  for (const { hostId, host } of places) {
    const own = known.filter(({ attempt }) => (attempt.hostId ?? null) === hostId);
    const ids = own.flatMap(({ attempt }) => (executions.get(attempt.id) ?? []).map(({ id }) => id));
    if (ids.length === 0) continue;
    try {
      for (const { executionId, pid, name } of await host.executions.findProcesses({ ids })) {
        left.set(executionId, [...(left.get(executionId) ?? []), { pid, name }]);
      }
    } catch (error) {
      logger.warn("processes that agents left could not be looked for", { hostId, error });
    }
  }
  return left;
}

async function describeAttempt(
  context: CleanContext,
  { attempt, task, project }: Known,
  known: { ages: CleanAges; use: HostUse | undefined; executions: readonly EndedExecution[]; left: LeftProcesses },
): Promise<AttemptFacts> {
  const { storage, host, now } = context;
  const { ages, use } = known;
  const running = await storage.read.listRunningExecutions({ attemptId: attempt.id });
  const queued = running.length === 0 ? await storage.read.listQueuedMessages({ attemptId: attempt.id }) : [];
  const lastUsedAt = Math.max(attempt.createdAt, task.updatedAt, ...known.executions.map(({ endedAt }) => endedAt));
  const isBusy = running.length > 0 || queued.length > 0;
  const folder = toAttemptFolder(attempt, project);
  let isMissing = false;
  const exists = (): Promise<boolean> =>
    host.workspaces.exists(folder).catch((error: unknown) => {
      isMissing = isUnreachable(error);
      return isMissing;
    });
  const name = basename(attempt.directory);
  const mayHaveWorktree = attempt.isolation === "worktree" && ages.worktree !== null;
  const isThere = mayHaveWorktree && (use === undefined ? await exists() : name in use.worktrees);
  const wanted = isThere && wantsState({ attempt, task, lastUsedAt }, { ages, now: now() });
  const state = !wanted ? null : isMissing ? ({ problem: "unreachable" } as const) : await readState(context, { attempt, project });
  return {
    ...{ attempt, task, isBusy, lastUsedAt },
    worktree: isThere ? { bytes: use?.worktrees[name] ?? null, state } : null,
    // without sizes: whether there is one shows when it is removed
    sandboxHome: attempt.sandbox === "workspace" ? (use === undefined ? 0 : (use.sandboxHomes?.[attempt.id] ?? null)) : null,
    executions: await Promise.all(known.executions.map((one) => describeExecution(context, one, known))),
  };
}

/** A folder with submodules may contain commits that no repository has. */
async function readState(
  { storage, host }: CleanContext,
  { attempt, project }: Pick<Known, "attempt" | "project">,
): Promise<WorktreeState> {
  const folder = { ...toAttemptFolder(attempt, project), baseBranch: attempt.baseBranch };
  try {
    const landing = (await storage.read.findLanding({ attemptId: attempt.id })) ?? null;
    const hasSubmodules = await host.workspaces.exists({ ...folder, path: ".gitmodules" });
    const state = await host.workspaces.readGitState({ attempt: folder, isRunning: false, landing });
    const { branch, head, ahead, conflict } = state;
    return { branch, head, ahead, conflict, landing, dirty: state.dirty.files, hasSubmodules };
  } catch (error) {
    if (isUnreachable(error)) return { problem: "unreachable" };
    return { problem: "unreadable", detail: error instanceof Error ? error.message : String(error) };
  }
}

async function describeExecution(
  { storage, host }: CleanContext,
  { id, endedAt }: EndedExecution,
  { ages, use, left }: { ages: CleanAges; use: HostUse | undefined; left: LeftProcesses },
): Promise<ExecutionFacts> {
  const processes = left.get(id) ?? [];
  const size = ages["execution-log"] === null ? 0 : use === undefined ? undefined : (use.executionLogs[id] ?? 0);
  if (size === 0) return { id, endedAt, logBytes: 0, isStored: null, processes };
  try {
    const logSize = await host.executions.logSize({ id });
    const { offset } = await storage.read.getIngestPosition({ executionId: id });
    return { id, endedAt, logBytes: size ?? logSize, isStored: offset >= logSize, processes };
  } catch {
    return { id, endedAt, logBytes: size ?? 0, isStored: null, processes };
  }
}
