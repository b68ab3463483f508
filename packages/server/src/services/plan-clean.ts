import type {
  Attempt,
  CleanItem,
  CleanKind,
  CleanPlan,
  ExecutionId,
  GitState,
  KeptItem,
  KeptReason,
  RetentionSettings,
  Task,
} from "@skein/contracts";

/** What git says about a worktree. */
export type WorktreeState =
  | (Pick<GitState, "branch" | "head" | "ahead" | "conflict" | "landing"> & { dirty: number; hasSubmodules: boolean })
  | { problem: "unreachable" }
  | { problem: "unreadable"; detail: string };

/** What there is of one execution that has ended. */
export interface ExecutionFacts {
  id: ExecutionId;
  endedAt: number;
  /** Of the log; 0: there is none. */
  logBytes: number;
  /** All of its log is in the database; null: not known, because its host is not connected. */
  isStored: boolean | null;
  /** Processes that it left. */
  processes: { pid: number; name: string }[];
}

/** What a clean-up has to know about an attempt. */
export interface AttemptFacts {
  attempt: Pick<Attempt, "id" | "number" | "hostId" | "directory" | "branch" | "isolation" | "archived">;
  task: Pick<Task, "id" | "title" | "projectId" | "status" | "archived">;
  /** An execution runs or waits, or messages are queued. */
  isBusy: boolean;
  lastUsedAt: number;
  /** Null: in place, or there is no folder. `state` is null if nobody asked for it: see `wantsState`. */
  worktree: { bytes: number | null; state: WorktreeState | null } | null;
  /** Bytes; null: there is none. */
  sandboxHome: number | null;
  /** Oldest first. */
  executions: readonly ExecutionFacts[];
}

/** How long something must not have been used, in ms; null: it is left out. */
export type CleanAges = Readonly<Record<Exclude<CleanKind, "process">, number | null>>;

const dayMs = 24 * 60 * 60_000;
/** An execution that has just ended may still be ending what it started. */
const endingMs = 10_000;

export function toRetentionAges({ worktreeDays, sandboxHomeDays, executionLogDays }: RetentionSettings): CleanAges {
  const toMs = (days: number): number | null => (days === 0 ? null : days * dayMs);
  return { worktree: toMs(worktreeDays), "sandbox-home": toMs(sandboxHomeDays), "execution-log": toMs(executionLogDays) };
}

export function toAges(olderThanDays: number): CleanAges {
  const age = olderThanDays * dayMs;
  return { worktree: age, "sandbox-home": age, "execution-log": age };
}

/** Nobody works on the task, or on this attempt of it, any more. */
export function isOver({ task, attempt }: Pick<AttemptFacts, "task" | "attempt">): boolean {
  return attempt.archived === true || task.archived || task.status === "done" || task.status === "cancelled";
}

/** Whether git has to be asked about the worktree: that takes a dozen processes. */
export function wantsState(
  facts: Pick<AttemptFacts, "task" | "attempt" | "lastUsedAt">,
  { ages, now }: { ages: CleanAges; now: number },
): boolean {
  return isOver(facts) && isOld(facts.lastUsedAt, ages.worktree, now);
}

/**
 * What a clean-up removes, and what it keeps although it looks removable. The only place that decides it: for the page, for `skein clean`,
 * for the server's own clean-up, and once more for each item right before it is removed.
 */
export function planClean(attempts: readonly AttemptFacts[], { ages, now }: { ages: CleanAges; now: number }): CleanPlan {
  const items: CleanItem[] = [];
  const kept: KeptItem[] = [];
  for (const facts of attempts) {
    for (const decided of [planWorktree(facts, ages, now), planHome(facts, ages, now), planLogs(facts, ages, now)]) {
      if (decided === undefined) continue;
      if ("why" in decided) kept.push(decided);
      else items.push(decided);
    }
    items.push(...planProcesses(facts, now));
  }
  const bySize = (a: { bytes: number | null; id: string }, b: { bytes: number | null; id: string }): number =>
    (b.bytes ?? 0) - (a.bytes ?? 0) || (a.id < b.id ? -1 : 1);
  return { items: items.toSorted(bySize), kept: kept.toSorted(bySize), plannedAt: now };
}

function planWorktree(facts: AttemptFacts, ages: CleanAges, now: number): CleanItem | KeptItem | undefined {
  const { attempt, worktree, lastUsedAt } = facts;
  if (worktree === null || worktree.state === null || attempt.isolation !== "worktree") return undefined;
  if (!isOver(facts) || !isOld(lastUsedAt, ages.worktree, now)) return undefined;
  const item = { ...describe(facts, "worktree"), bytes: worktree.bytes };
  const judged = judgeWorktree(worktree.state, facts);
  if ("why" in judged) return { ...item, kind: "worktree", why: judged.why };
  return { ...item, kind: "worktree", directory: attempt.directory, branch: judged.branch, because: judged.because };
}

/** Removable only if each fact says so: what is not known counts as work. */
function judgeWorktree(
  state: WorktreeState,
  { attempt, isBusy }: AttemptFacts,
): { why: KeptReason } | { branch: string; because: "landed" | "merged" } {
  const keep = (why: KeptReason) => ({ why });
  if (isBusy) return keep({ code: "in-use" });
  if ("problem" in state)
    return keep(state.problem === "unreachable" ? { code: "unreachable" } : { code: "unreadable", detail: state.detail });
  if (state.conflict !== null) return keep({ code: "in-conflict" });
  if (state.dirty > 0) return keep({ code: "uncommitted", files: state.dirty });
  if (state.hasSubmodules) return keep({ code: "submodules" });
  if (attempt.branch === null || state.branch !== attempt.branch || state.head === null) return keep({ code: "other-branch" });
  if (state.ahead === null) return keep({ code: "no-base" });
  if (state.ahead > 0) return keep({ code: "unmerged", commits: state.ahead });
  return { branch: attempt.branch, because: state.landing === null ? "merged" : "landed" };
}

function planHome(facts: AttemptFacts, ages: CleanAges, now: number): CleanItem | KeptItem | undefined {
  if (facts.sandboxHome === null || !isOver(facts) || !isOld(facts.lastUsedAt, ages["sandbox-home"], now)) return undefined;
  const item = { ...describe(facts, "sandbox-home"), kind: "sandbox-home", bytes: facts.sandboxHome } as const;
  return facts.isBusy ? { ...item, why: { code: "in-use" } } : item;
}

/** The last log of an unfinished task stays: a retry finds the agent's answer there. */
function planLogs(facts: AttemptFacts, ages: CleanAges, now: number): CleanItem | KeptItem | undefined {
  const over = isOver(facts) ? facts.executions : facts.executions.slice(0, -1);
  const old = over.filter(({ endedAt, logBytes }) => logBytes > 0 && isOld(endedAt, ages["execution-log"], now));
  if (old.length === 0) return undefined;
  const removable = old.filter(({ isStored, processes }) => isStored === true && processes.length === 0);
  const item = { ...describe(facts, "execution-log"), lastUsedAt: Math.max(...old.map(({ endedAt }) => endedAt)) };
  const sum = (logs: typeof old): number => logs.reduce((total, { logBytes }) => total + logBytes, 0);
  if (removable.length > 0) {
    return { ...item, kind: "execution-log", bytes: sum(removable), executionIds: removable.map(({ id }) => id) };
  }
  const code = old.some(({ isStored }) => isStored === null) ? "unreachable" : "not-stored";
  return { ...item, kind: "execution-log", bytes: sum(old), why: { code } };
}

function planProcesses(facts: AttemptFacts, now: number): CleanItem[] {
  return facts.executions.flatMap(({ id, endedAt, processes }): CleanItem[] => {
    if (processes.length === 0 || endedAt > now - endingMs) return [];
    const fields = { bytes: null, lastUsedAt: endedAt, executionId: id, processes };
    return [{ ...describe(facts, "process"), ...fields, id: `process:${id}`, kind: "process" }];
  });
}

function describe({ attempt, task, lastUsedAt }: AttemptFacts, kind: CleanKind) {
  return {
    id: `${kind}:${attempt.id}`,
    projectId: task.projectId,
    taskId: task.id,
    taskTitle: task.title,
    attemptId: attempt.id,
    number: attempt.number,
    ...(attempt.hostId ? { hostId: attempt.hostId } : {}),
    lastUsedAt,
  };
}

function isOld(at: number, age: number | null, now: number): boolean {
  return age !== null && at <= now - age;
}
