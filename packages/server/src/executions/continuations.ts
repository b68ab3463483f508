import type {
  Attempt,
  EndedExecution,
  ExecutionId,
  ExecutionWait,
  Fallback,
  JobId,
  ParkedWait,
  ParkingSettings,
  ProjectId,
  ProjectParking,
  ProviderLimit,
  ReachedBudget,
  RunningExecution,
} from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";

/** Why an execution stopped before its end, without being finished or failed. */
export type Obstacle = { type: "budget"; reached: ReachedBudget } | { type: "limit"; limit: ProviderLimit };

/** What happens to an execution that a budget or a provider's limit has stopped: another one waits to continue it. */
export interface Continuations {
  /** Whether a limit parks executions of this attempt; overload only if the settings say so. */
  parks(reader: StorageReader, attempt: Attempt, limit: ProviderLimit): Promise<boolean>;
  /** What the execution that continues has to wait for. */
  plan(tx: StorageTransaction, input: { ended: EndedExecution; attempt: Attempt; obstacle: Obstacle; at: number }): Promise<ExecutionWait>;
  /** Stores, with the execution, what will be done when. */
  arrange(tx: StorageTransaction, execution: RunningExecution): Promise<void>;
}

/** The jobs of parked executions. */
export interface ParkedJobs {
  /** Resumes it at its time, if it is to resume by itself. */
  resumeAtItsTime(tx: StorageTransaction, execution: RunningExecution): Promise<void>;
  /** Continues it in another attempt, if it names one. */
  continueElsewhere(tx: StorageTransaction, execution: RunningExecution): Promise<void>;
}

export const resumeJob = "resume-parked";
export const fallbackJob = "continue-elsewhere";

/** Stores a job as part of a transaction. */
export type EnqueueJob = (
  job: { name: string; key: string; data: { executionId: ExecutionId }; runAt?: number },
  tx: StorageTransaction,
) => Promise<JobId | undefined>;

export function createParkedJobs(enqueue: EnqueueJob): ParkedJobs {
  return {
    async resumeAtItsTime(tx, { id, wait }) {
      if (wait?.for !== "provider" || !wait.isAutomatic || wait.continuesWith !== undefined) return;
      await enqueue({ name: resumeJob, key: id, data: { executionId: id }, runAt: wait.resumesAt }, tx);
    },
    async continueElsewhere(tx, { id, wait }) {
      if (wait?.for !== "provider" || wait.continuesWith === undefined) return;
      await enqueue({ name: fallbackJob, key: id, data: { executionId: id } }, tx);
    },
  };
}

const minuteMs = 60_000;
const firstTryMs = 5 * minuteMs;
const longestTryMs = 4 * 60 * minuteMs;
/** An agent whose provider named no time is not chosen again before. */
const unknownLimitMs = 60 * minuteMs;

export function createContinuations(input: {
  readParking(): ParkingSettings;
  jobs: ParkedJobs;
  /** From 0 to before 1: not all executions of a plan start again in the same second. */
  random?(): number;
}): Continuations {
  const { random = Math.random } = input;

  async function findSettings(reader: StorageReader, attempt: Attempt): Promise<ParkingSettings & ProjectParking> {
    const task = await reader.findTask({ id: attempt.taskId });
    const settings = input.readParking();
    return { ...settings, ...(task === undefined ? {} : settings.perProject[task.projectId as ProjectId]) };
  }

  async function plan(
    tx: StorageTransaction,
    { ended, attempt, limit, at }: { ended: EndedExecution; attempt: Attempt; limit: ProviderLimit; at: number },
  ): Promise<ParkedWait> {
    const { resume, fallbacks = [] } = await findSettings(tx, attempt);
    const rejections = await countRejections(tx, ended);
    const fallback = await findFallback(tx, { attempt, fallbacks, at });
    return {
      for: "provider",
      since: at,
      limit,
      resumesAt: toResumeTime(limit, { rejections, at, random: random() }),
      isAutomatic: resume,
      rejections,
      ...(fallback === undefined ? {} : { continuesWith: fallback }),
    };
  }

  return {
    async parks(reader, attempt, limit) {
      return limit.code !== "overloaded" || (await findSettings(reader, attempt)).onOverload;
    },
    plan: async (tx, { obstacle, ended, attempt, at }) =>
      obstacle.type === "budget"
        ? { for: "budget", since: at, reached: obstacle.reached, isPaused: false }
        : plan(tx, { ended, attempt, limit: obstacle.limit, at }),
    async arrange(tx, execution) {
      await input.jobs.resumeAtItsTime(tx, execution);
      await input.jobs.continueElsewhere(tx, execution);
    },
  };
}

/** When a limit is over; if its provider did not say, or was wrong, each try waits twice as long as the one before. */
export function toResumeTime(
  { resetsAt }: ProviderLimit,
  { rejections, at, random }: { rejections: number; at: number; random: number },
): number {
  const backOffMs = Math.min(longestTryMs, firstTryMs * 2 ** (rejections - 1));
  const waitMs = resetsAt !== null && resetsAt > at ? resetsAt - at : backOffMs;
  return Math.ceil(at + waitMs + random * Math.min(minuteMs, waitMs / 10));
}

/** How often in a row the provider has rejected an attempt that did nothing in between, this time included. */
async function countRejections(tx: StorageTransaction, ended: EndedExecution): Promise<number> {
  const earlier = (await tx.listExecutions({ attemptId: ended.attemptId })).filter(({ number }) => number < ended.number);
  let rejections = 1;
  for (let later = ended; later.code === "not-answered"; rejections++) {
    const before = earlier.pop();
    if (before === undefined || !isRejected(before)) break;
    later = before as EndedExecution;
  }
  return rejections;
}

const isRejected = (execution: { status: string; reasonText?: unknown }): boolean =>
  (execution.reasonText as { code?: string } | undefined)?.code === "provider-limit";

/**
 * The first entry of the list that is not known to be limited itself. So one that reports a limit is not chosen again before it is over,
 * and the list cannot go round in circles.
 */
async function findFallback(
  tx: StorageTransaction,
  { attempt, fallbacks, at }: { attempt: Attempt; fallbacks: readonly Fallback[]; at: number },
): Promise<Fallback | undefined> {
  const limited: Fallback[] = [attempt];
  for (const other of fallbacks.length === 0 ? [] : await tx.listAttempts({ taskId: attempt.taskId })) {
    const last = (await tx.listExecutions({ attemptId: other.id })).findLast(isRejected);
    const text = last?.status === "running" ? undefined : last?.reasonText;
    if (last === undefined || last.status === "running" || typeof text !== "object" || text.code !== "provider-limit") continue;
    if ((text.resetsAt ?? last.endedAt + unknownLimitMs) > at) limited.push(other);
  }
  // the plan of an agent is the same in every task
  for (const { execution, agent } of fallbacks.length === 0 ? [] : await tx.listOccupants()) {
    const { wait } = execution;
    if (wait?.for !== "provider" || wait.limit.code !== "plan-limit" || wait.limit.scope === "model" || wait.resumesAt <= at) continue;
    limited.push(...fallbacks.filter((one) => one.agent === agent && agent !== "native"));
  }
  return fallbacks.find((one) => !limited.some(({ agent, model }) => agent === one.agent && (one.model === null || model === one.model)));
}
