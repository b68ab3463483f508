import { setTimeout as wait } from "node:timers/promises";
import {
  type BudgetDecision,
  type BudgetSettings,
  type BudgetWait,
  type ExecutionId,
  type Fallback,
  isHeld,
  type ParkedWait,
  type RunningExecution,
} from "@skein/contracts";
import { ServiceError, type StorageTransaction, type StoredBudget } from "@skein/engine";
import { judgeBudgets } from "../budgets/judge-budgets.ts";
import { hasBudgets, listChecks, toBudgetKeys } from "../budgets/list-checks.ts";
import type { ParkedJobs } from "./continuations.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { setExecutionWait } from "./set-execution-wait.ts";

const retryMs = 1000;

/** Holds executions back whose budget is used up (L2), or whose provider accepts no more requests (L3). */
export interface ExecutionHolds {
  /** Resolves when nothing holds the execution back, or when `signal` is aborted. Never rejects. `onWaiting` is called if it has to wait. */
  pass(execution: RunningExecution, options: { signal: AbortSignal; onWaiting(): void }): Promise<void>;
  /** Answers the question about a budget, except by “stop”. Throws `execution-not-waiting` if it is not asked any more. */
  answer(id: ExecutionId, answer: { decision: Exclude<BudgetDecision, "stop">; since: number }): Promise<void>;
  /** Throws `execution-not-waiting` if this is not what the execution asks. */
  findQuestion(id: ExecutionId, since: number): Promise<BudgetWait>;
  /** Lets a parked execution start now. */
  resume(id: ExecutionId): Promise<void>;
  setAutomatic(id: ExecutionId, isAutomatic: boolean): Promise<RunningExecution>;
  /** A new attempt with another agent or model continues instead. */
  continueWith(id: ExecutionId, fallback: Fallback): Promise<RunningExecution>;
  /** Budgets were changed: asks again only where they are still used up. */
  reconsider(): Promise<void>;
  close(): void;
}

export function createExecutionHolds(input: {
  context: Pick<ExecutionContext, "storage" | "logger" | "now">;
  readBudgets(): BudgetSettings;
  jobs: ParkedJobs;
  explainFault?(error: unknown): Promise<unknown>;
}): ExecutionHolds {
  const { storage, logger, now } = input.context;
  /** The executions of this server that are held back. */
  const held = new Map<ExecutionId, () => void>();

  const judge = async (tx: StorageTransaction, execution: RunningExecution) =>
    judgeBudgets(await listChecks(tx, { subject: { ...execution, executionId: execution.id }, settings: input.readBudgets(), at: now() }));

  /** Returns whether it may start. */
  async function enter(tx: StorageTransaction, id: ExecutionId): Promise<boolean> {
    const execution = await tx.findExecution({ id });
    if (execution?.status !== "running") return true;
    if (execution.wait !== undefined && execution.wait.for !== "server") return execution.wait.for === "limit";
    const verdict = await judge(tx, execution);
    if (verdict.type !== "reached") return true;
    const { reached } = verdict;
    await setExecutionWait(tx, { id, wait: { for: "budget", since: now(), reached, isPaused: false }, at: now() });
    return false;
  }

  /** Retried while the database cannot be written: then nothing could start either. */
  async function enterWhenPossible(id: ExecutionId, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        return await storage.transaction((tx) => enter(tx, id));
      } catch (error) {
        logger.error("the budgets of an execution could not be checked", { executionId: id, error });
        await input.explainFault?.(error);
        await wait(retryMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }
    return true;
  }

  const removeListener = storage.onCommitted((events) => {
    if (held.size === 0) return;
    for (const { event } of events) {
      if (event.type !== "execution:changed" || event.execution.status !== "running") continue;
      if (event.execution.wait === undefined) held.get(event.executionId)?.();
    }
  });

  async function changeParked(
    tx: StorageTransaction,
    id: ExecutionId,
    change: (known: ParkedWait) => ParkedWait | null,
  ): Promise<RunningExecution> {
    const execution = await tx.findExecution({ id });
    if (execution?.status !== "running" || execution.wait?.for !== "provider") throw notWaiting();
    return (await setExecutionWait(tx, { id, wait: change(execution.wait), at: now() })) ?? execution;
  }

  async function readQuestion(reader: Pick<StorageTransaction, "findExecution">, id: ExecutionId, since: number) {
    const execution = await reader.findExecution({ id });
    if (execution?.status !== "running" || execution.wait?.for !== "budget" || execution.wait.since !== since) throw notWaiting();
    return { execution, wait: execution.wait };
  }

  async function reconsiderIn(tx: StorageTransaction): Promise<void> {
    for (const { execution } of await tx.listOccupants()) {
      // a paused agent asks again
      if (execution.wait?.for !== "budget" || execution.wait.isPaused) continue;
      const verdict = await judge(tx, execution);
      if (verdict.type !== "reached") await setExecutionWait(tx, { id: execution.id, wait: null, at: now() });
    }
  }

  return {
    async pass(execution, { signal, onWaiting }) {
      const { id } = execution;
      const wasHeld = execution.wait !== undefined && isHeld(execution.wait);
      if (!wasHeld && !hasBudgets(input.readBudgets()) && !(await storage.read.hasBudgets().catch(() => true))) return;
      while (!signal.aborted) {
        const released = Promise.withResolvers<void>();
        const end = (): void => released.resolve();
        held.set(id, end);
        signal.addEventListener("abort", end, { once: true });
        try {
          if (await enterWhenPossible(id, signal)) return;
          onWaiting();
          await released.promise;
        } finally {
          held.delete(id);
          signal.removeEventListener("abort", end);
        }
      }
    },
    answer: (id, { decision, since }) =>
      storage.transaction(async (tx) => {
        const { execution, wait: question } = await readQuestion(tx, id, since);
        const { scope, measure, more } = question.reached;
        const task = await tx.findTask({ id: execution.taskId });
        const key = task && toBudgetKeys({ ...execution, executionId: id }, task.projectId).find((one) => one.scope === scope);
        if (key === undefined) throw notWaiting();
        const known = await tx.findBudget(key);
        const { unlimited, ...amounts } = known?.allowed ?? { unlimited: [] };
        const allowed: StoredBudget["allowed"] =
          decision === "more"
            ? { ...amounts, [measure]: (amounts[measure] ?? 0) + more, unlimited }
            : { ...amounts, unlimited: [...unlimited, measure] };
        await tx.putBudget({ ...key, own: known?.own ?? null, allowed });
        await setExecutionWait(tx, { id, wait: null, at: now() });
        await reconsiderIn(tx);
      }),
    findQuestion: async (id, since) => (await readQuestion(storage.read, id, since)).wait,
    resume: (id) =>
      storage.transaction(async (tx) => {
        await changeParked(tx, id, () => null);
      }),
    setAutomatic: (id, isAutomatic) =>
      storage.transaction(async (tx) => {
        const execution = await changeParked(tx, id, (known) => ({ ...known, isAutomatic }));
        await input.jobs.resumeAtItsTime(tx, execution);
        return execution;
      }),
    continueWith: (id, continuesWith) =>
      storage.transaction(async (tx) => {
        const execution = await changeParked(tx, id, (known) => ({ ...known, continuesWith }));
        await input.jobs.continueElsewhere(tx, execution);
        return execution;
      }),
    reconsider: () => storage.transaction(reconsiderIn),
    close: removeListener,
  };
}

function notWaiting(): ServiceError {
  return new ServiceError("conflict", { code: "execution-not-waiting" });
}
