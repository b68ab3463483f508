import {
  type Budget,
  type BudgetDecision,
  type BudgetMeasure,
  type BudgetState,
  budgetMeasureSchema,
  type Spending,
  type TaskBudgets,
  taskBudgetsSchema,
  type WaitingExecution,
  waitingExecutionSchema,
} from "@skein/contracts";
import { budgetScopes, toAmount } from "@skein/engine";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { parseIdPrefix, resolveId } from "../ids/resolve-id.ts";

interface Options {
  home?: string;
  json?: boolean;
}

interface NewBudget {
  cost?: string;
  tokens?: string;
  minutes?: string;
  none?: boolean;
}

/** `skein budget`: the budgets that apply to a task, and what was used of them; with amounts, sets the task's own. */
export async function budget(id: string, options: Options & NewBudget): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const { taskId } = await resolveId(client, parseIdPrefix(id));
  const path = `/api/tasks/${taskId}/budget`;
  const wanted = toBudget(options);
  const known =
    wanted === undefined
      ? await client.get(path, taskBudgetsSchema)
      : await client.send("PUT", path, { budget: wanted }, taskBudgetsSchema);
  console.log(options.json ? JSON.stringify(known, null, 2) : format(known));
  return exitCode.success;
}

/** `skein budget answer`: answers the question of an execution whose budget is used up. */
export async function answerBudget(id: string, decision: BudgetDecision, options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const held = await findHeld(client, id);
  const { execution } = held;
  const wait = execution.status === "running" ? execution.wait : undefined;
  if (wait?.for !== "budget") throw new CliError(`Nothing of ${id} asks about a budget.`, { hint: `Its budgets: skein budget ${id}` });
  const body = { decision, since: wait.since };
  await client.call("POST /api/executions/:id/budget-answer", { params: { id: execution.id }, body });
  console.log(decision === "stop" ? "It is being stopped." : "It continues.");
  return exitCode.success;
}

/** The execution of a task or an attempt that waits for its user or a provider. */
export async function findHeld(client: ApiClient, id: string): Promise<WaitingExecution> {
  const { taskId, attemptId } = await resolveId(client, parseIdPrefix(id));
  const list = await client.get("/api/held-executions", waitingExecutionSchema.array());
  const found = list.find(({ execution }) => execution.taskId === taskId && (attemptId === null || execution.attemptId === attemptId));
  if (found === undefined) throw new CliError(`Nothing of ${id} waits for you or a provider.`, { hint: "What waits: skein waiting" });
  return found;
}

/** Null: none of its own; undefined: not to be changed. */
function toBudget({ cost, tokens, minutes, none }: NewBudget): Budget | null | undefined {
  if (none) return null;
  const entries = Object.entries({ costUsd: cost, tokens, minutes }).flatMap(([measure, text]) =>
    text === undefined ? [] : [[measure, parseAmount(text)] as const],
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** `5`, `$5`, `2.50`. */
export function parseAmount(text: string): number {
  const amount = Number(text.replace(/^\$/, ""));
  if (Number.isFinite(amount) && amount > 0) return amount;
  throw new CliError(`“${text}” is not an amount. Use a number above 0.`, { exitCode: exitCode.usage });
}

function format({ states, asking }: TaskBudgets): string {
  if (states.length === 0) return "No budget applies to this task.";
  const lines = states.flatMap(formatState);
  return [
    ...lines,
    ...(asking === null ? [] : ["It is used up, and an answer is needed: skein budget answer <id> more|unlimited|stop"]),
  ].join("\n");
}

function formatState({ scope, budget: limits, spent }: BudgetState): string[] {
  return budgetMeasureSchema.options.flatMap((measure) => {
    const limit = limits[measure];
    if (limit === undefined) return [];
    return [`${budgetScopes[scope]}: ${formatSpent(spent, measure)} of ${toAmount(measure, limit)}`];
  });
}

function formatSpent(spent: Spending, measure: BudgetMeasure): string {
  const value = spent[measure];
  if (value === null) return "no cost reported";
  return `${spent.isPartial && measure !== "minutes" ? "at least " : ""}${toAmount(measure, value)}`;
}
