import {
  type Actor,
  type Attempt,
  type Budget,
  type BudgetState,
  type ExecutionId,
  isHeld,
  type TaskBudgets,
  type TaskId,
} from "@skein/contracts";
import { ServiceError, type StorageReader, type StorageTransaction } from "@skein/engine";
import type { ConnectionPeer } from "@skein/host";
import { listChecks, toBudgetKeys } from "../budgets/list-checks.ts";
import { isAgent } from "./is-agent.ts";
import { getTask } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

/** Budgets of tasks, questions about them, and parked executions. */
export function createHeldExecutionService(context: ServiceContext): Services["heldExecutions"] {
  const { storage, holds, spending, supervisor, settings, now } = context;

  async function reconsider(): Promise<void> {
    await holds.reconsider();
    spending?.reconsider();
  }

  /** A budget that an agent can raise is none. */
  async function refuseAgents(peer: ConnectionPeer | undefined, by: Actor | undefined): Promise<void> {
    if (await isAgent(context, peer, by)) throw new ServiceError("forbidden", { code: "answered-by-agent" });
  }

  return {
    list: async () => {
      const occupants = await storage.read.listOccupants();
      return occupants.filter(({ execution: { wait } }) => wait !== undefined && isHeld(wait));
    },
    async answer(id, { decision, since }, peer, by) {
      await refuseAgents(peer, by);
      if (decision === "stop") {
        await holds.findQuestion(id, since);
        supervisor.stop(id);
        return;
      }
      await holds.answer(id, { decision, since });
      spending?.reconsider();
    },
    resume: (id) => holds.resume(id),
    setAutomatic: (id, isAutomatic) => holds.setAutomatic(id, isAutomatic),
    continueWith: (id, fallback) => holds.continueWith(id, fallback),
    budgets: (taskId) => describe(storage.read, taskId),
    async setBudget(taskId, budget, peer, by) {
      await refuseAgents(peer, by);
      await storage.transaction((tx) => putTaskBudget(tx, taskId, budget));
      await reconsider();
      return describe(storage.read, taskId);
    },
    reconsider,
  };

  async function describe(reader: StorageReader, taskId: TaskId): Promise<TaskBudgets> {
    const at = now();
    const task = await getTask(reader, taskId);
    const last = await findLastExecution(reader, await reader.listAttempts({ taskId }));
    const executionId = last?.id;
    const subject = { taskId, executionId, startedAt: last?.status === "running" ? last.startedAt : at };
    const checks = await listChecks(reader, { subject, settings: settings.general().budgets, at });
    const states = checks.map(({ scope, budget, spent: { costUsd, tokens, ms, isPartial } }): BudgetState => {
      return { scope, budget, spent: { costUsd, tokens, minutes: ms / 60_000, isPartial } };
    });
    const stored = await reader.findBudget({ scope: "task", subject: task.id });
    const running = await reader.listRunningExecutions({ taskId });
    return { taskId, own: stored?.own ?? null, states, asking: running.find(({ wait }) => wait?.for === "budget")?.id ?? null };
  }
}

/** What the executions of a task may use from now on; null: what the settings say. What was allowed beyond an earlier budget is void. */
export async function putTaskBudget(tx: StorageTransaction, taskId: TaskId, own: Budget | null): Promise<void> {
  const task = await getTask(tx, taskId);
  const key = toBudgetKeys({ taskId, startedAt: 0 }, task.projectId).find(({ scope }) => scope === "task");
  if (key !== undefined) await tx.putBudget({ ...key, own, allowed: null });
}

async function findLastExecution(reader: StorageReader, attempts: readonly Attempt[]) {
  const active = attempts.find(({ active }) => active);
  const ids: ExecutionId[] = active === undefined ? [] : await reader.listExecutionIds({ attemptId: active.id });
  const id = ids.at(-1);
  return id === undefined ? undefined : reader.findExecution({ id });
}
