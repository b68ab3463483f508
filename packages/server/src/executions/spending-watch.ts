import type { AgentOutput, BudgetSettings, CallBound, ExecutionId, RunningExecution, Usage } from "@skein/contracts";
import type { AgentAdapter, StorageTransaction } from "@skein/engine";
import { judgeBudgets } from "../budgets/judge-budgets.ts";
import { hasBudgets, listChecks } from "../budgets/list-checks.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { setExecutionWait } from "./set-execution-wait.ts";

/** Budgets in minutes are used up without any report, and calls of agents that other servers follow end without a report here. */
const lookEveryMs = 2000;
const retryMs = 1000;

/** Outputs that say what an agent uses. */
type SpendingOutput = Extract<AgentOutput, { type: "usage" | "call-request" | "call-end" }>;

export function isSpending(output: AgentOutput): output is SpendingOutput {
  return output.type === "usage" || output.type === "call-request" || output.type === "call-end";
}

type Watched = Pick<AgentAdapter, "callControl">;

/** Sends a decision to the runner of an execution that this server follows. */
export interface SpendingControl {
  /** From now on the agent asks before each call of a model. */
  ask(id: ExecutionId): void;
  grant(id: ExecutionId, callId: string): void;
  stop(id: ExecutionId): void;
}

/**
 * Keeps agents within their budgets while they work (L2). What they have used, and the calls that they may make, are rows: one transaction
 * at a time decides, also of several servers, so agents that share a budget are counted together.
 */
export interface SpendingWatch {
  /** Whether there are budgets: then agents that can be held back ask before each call. */
  isOn(): Promise<boolean>;
  /** An output was read from an agent's log; after a restart possibly again. `spent`: what it has used so far. */
  see(of: { execution: RunningExecution; adapter: Watched }, output: SpendingOutput, spent: Usage): void;
  /** What is in the log was read: nothing is decided in the middle of a log that is read again. */
  noteRead(id: ExecutionId): void;
  /** The runner can be reached: decisions that it may have missed are sent again. */
  connected(of: { execution: RunningExecution; adapter: Watched }): void;
  /** Budgets were changed. */
  reconsider(): void;
  /** `control` is set once, before anything is followed. */
  useControl(control: SpendingControl): void;
  close(): void;
}

interface Followed {
  execution: RunningExecution;
  /** It asks before each call. */
  isGated: boolean;
  /** Calls that were asked for and are not over. */
  calls: Map<string, CallBound>;
  /** Its last report: what it has used, and the calls that it is making. */
  report: { usage: Usage; open: readonly string[] } | undefined;
  /** It has reported something since the last decision; `hasEnded`: the end of a call. */
  news: { hasEnded: boolean } | undefined;
  isWanted: boolean;
  working: Promise<void> | undefined;
}

interface Decision {
  granted: string[];
  stop: boolean;
}

const nothing: Decision = { granted: [], stop: false };

export function createSpendingWatch(input: {
  context: Pick<ExecutionContext, "storage" | "logger" | "now">;
  readBudgets(): BudgetSettings;
}): SpendingWatch {
  const { storage, logger, now } = input.context;
  const followed = new Map<ExecutionId, Followed>();
  let control: SpendingControl | undefined;
  let looking: NodeJS.Timeout | undefined;
  let isClosed = false;

  const isOn = async (): Promise<boolean> => hasBudgets(input.readBudgets()) || (await storage.read.hasBudgets());

  function follow({ execution, adapter }: { execution: RunningExecution; adapter: Watched }): Followed {
    const known = followed.get(execution.id);
    if (known !== undefined) return known;
    const isGated = adapter.callControl !== undefined;
    const one: Followed = { execution, isGated, calls: new Map(), report: undefined, news: undefined, isWanted: false, working: undefined };
    followed.set(execution.id, one);
    looking ??= setInterval(lookAgain, lookEveryMs).unref();
    return one;
  }

  function lookAgain(): void {
    for (const one of followed.values()) if (one.calls.size > 0 || !one.isGated) consider(one);
  }

  function consider(one: Followed): void {
    one.isWanted = true;
    one.working ??= work(one).finally(() => {
      one.working = undefined;
    });
  }

  async function work(one: Followed): Promise<void> {
    while (one.isWanted && !isClosed && followed.get(one.execution.id) === one) {
      one.isWanted = false;
      try {
        const { granted, stop } = (await isOn()) ? await storage.transaction((tx) => decide(tx, one)) : grantAll(one);
        for (const callId of granted) control?.grant(one.execution.id, callId);
        if (stop) control?.stop(one.execution.id);
      } catch (error) {
        logger.error("budgets could not be checked", { executionId: one.execution.id, error });
        setTimeout(() => consider(one), retryMs).unref();
      }
    }
  }

  const grantAll = ({ calls }: Followed): Decision => ({ granted: [...calls.keys()], stop: false });

  async function decide(tx: StorageTransaction, one: Followed): Promise<Decision> {
    const { id } = one.execution;
    const execution = await tx.findExecution({ id });
    const known = await tx.findSpending({ executionId: id });
    if (execution?.status !== "running" || known === undefined) return nothing;
    const isOpen = ([callId]: [string, CallBound]): boolean => one.report?.open.includes(callId) === true || one.calls.has(callId);
    const openCalls = Object.fromEntries(Object.entries(known.openCalls).filter(isOpen));
    if (one.report !== undefined) await tx.setSpending({ executionId: id, usage: one.report.usage, openCalls });
    const judge = async () =>
      judgeBudgets(await listChecks(tx, { subject: { ...execution, executionId: id }, settings: input.readBudgets(), at: now() }));
    if (!one.isGated) {
      const verdict = known.stopping === null && execution.wait === undefined ? await judge() : undefined;
      if (verdict?.type === "reached") await tx.setSpending({ executionId: id, stopping: verdict.reached });
      return { granted: [], stop: known.stopping !== null || verdict?.type === "reached" };
    }
    const granted: string[] = [];
    let isReached = false;
    for (const [callId, atMost] of one.calls) {
      if (openCalls[callId] === undefined) {
        const verdict = await judge();
        if (verdict.type === "reached") {
          isReached = true;
          if (execution.wait === undefined) {
            const { reached } = verdict;
            await setExecutionWait(tx, { id, wait: { for: "budget", since: now(), reached, isPaused: true }, at: now() });
          }
          break;
        }
        if (verdict.type === "busy") break;
        openCalls[callId] = atMost;
        await tx.setSpending({ executionId: id, openCalls });
      }
      granted.push(callId);
    }
    if (!isReached && execution.wait?.for === "budget") await setExecutionWait(tx, { id, wait: null, at: now() });
    return { granted, stop: false };
  }

  const removeListener = storage.onCommitted((events) => {
    for (const { event } of events) if (event.type === "execution:completed") followed.delete(event.executionId);
    if (followed.size === 0) {
      clearInterval(looking);
      looking = undefined;
    } else if (events.some(({ event }) => event.type === "execution:completed")) considerWaiting();
  });

  /** Calls that wait for others may be possible now. */
  function considerWaiting(): void {
    for (const one of followed.values()) if (one.calls.size > 0) consider(one);
  }

  return {
    isOn,
    see(of, output, spent) {
      if (isClosed) return;
      const one = follow(of);
      if (output.type === "usage") one.report = { usage: spent, open: [] };
      else {
        one.report = { usage: output.usage, open: output.open };
        if (output.type === "call-request") one.calls.set(output.callId, output.atMost);
        else one.calls.delete(output.callId);
      }
      one.news = { hasEnded: one.news?.hasEnded === true || output.type === "call-end" };
    },
    noteRead(id) {
      const one = followed.get(id);
      if (one?.news === undefined) return;
      const { hasEnded } = one.news;
      one.news = undefined;
      consider(one);
      if (hasEnded) void one.working?.then(considerWaiting);
    },
    connected(of) {
      if (isClosed) return;
      const one = follow(of);
      isOn()
        .then((on) => {
          if (on && one.isGated) control?.ask(one.execution.id);
          // otherwise its log has not been read yet
          if (one.report !== undefined) consider(one);
        })
        .catch((error: unknown) => logger.error("budgets could not be read", { error }));
    },
    reconsider() {
      for (const one of followed.values()) {
        if (one.isGated) control?.ask(one.execution.id);
        if (one.report !== undefined || !one.isGated) consider(one);
      }
    },
    useControl(used) {
      control = used;
    },
    close() {
      isClosed = true;
      clearInterval(looking);
      removeListener();
    },
  };
}
