import type { Budget, BudgetScope, BudgetSettings, ExecutionId, ProjectId, TaskId } from "@skein/contracts";
import { budgetMeasureSchema, budgetScopeSchema } from "@skein/contracts";
import type { SpendingQuery, StorageReader, StoredBudget } from "@skein/engine";
import type { BudgetCheck } from "./judge-budgets.ts";

/** An execution, or the next one of a task. */
export interface BudgetSubject {
  executionId?: ExecutionId | undefined;
  taskId: TaskId;
  startedAt: number;
}

/** The row in which decisions about a budget are stored. */
export type BudgetKey = Pick<StoredBudget, "scope" | "subject" | "projectId" | "taskId">;

/** Whether the settings have any budget. */
export function hasBudgets({ perProject, ...installation }: BudgetSettings): boolean {
  return [installation, ...Object.values(perProject)].some((budgets) =>
    Object.values(budgets).some((budget: Budget) => Object.keys(budget).length > 0),
  );
}

/** Where the decisions about each budget of a subject are stored. */
export function toBudgetKeys({ executionId, taskId, startedAt }: BudgetSubject, projectId: ProjectId): BudgetKey[] {
  const { day } = toDay(startedAt);
  const keys: Record<BudgetScope, BudgetKey | undefined> = {
    execution: executionId && { scope: "execution", subject: executionId, projectId: null, taskId },
    task: { scope: "task", subject: taskId, projectId: null, taskId },
    project: { scope: "project", subject: projectId, projectId, taskId: null },
    projectDay: { scope: "projectDay", subject: `${projectId}:${day}`, projectId, taskId: null },
    day: { scope: "day", subject: day, projectId: null, taskId: null },
  };
  return budgetScopeSchema.options.flatMap((scope) => keys[scope] ?? []);
}

/** All budgets that apply to a subject, with what was used of them until `at`. Empty if its task was deleted. */
export async function listChecks(
  reader: StorageReader,
  { subject, settings, at }: { subject: BudgetSubject; settings: BudgetSettings; at: number },
): Promise<BudgetCheck[]> {
  const task = await reader.findTask({ id: subject.taskId });
  if (task === undefined) return [];
  const { projectId } = task;
  const { perProject, ...installation } = settings;
  const { from, to } = toDay(subject.startedAt);
  const counted: Record<BudgetScope, SpendingQuery | undefined> = {
    execution: subject.executionId && { executionId: subject.executionId },
    task: { taskId: subject.taskId },
    project: { projectId },
    projectDay: { projectId, from, to },
    day: { all: true, from, to },
  };
  const checks: BudgetCheck[] = [];
  for (const key of toBudgetKeys(subject, projectId)) {
    const stored = await reader.findBudget(key);
    const project = key.scope === "day" ? undefined : perProject[projectId]?.[key.scope];
    const base = stored?.own ?? project ?? installation[key.scope] ?? {};
    const budget = toAllowed(base, stored?.allowed);
    const query = counted[key.scope];
    if (query === undefined || Object.keys(budget).length === 0) continue;
    const [spent, openCalls] = [await reader.sumSpending({ ...query, at }), await reader.listOpenCalls(query)];
    checks.push({ scope: key.scope, base, budget, spent, openCalls });
  }
  return checks;
}

function toAllowed(base: Budget, allowed: StoredBudget["allowed"] | undefined): Budget {
  const measures = budgetMeasureSchema.options.flatMap((measure) => {
    const amount = base[measure];
    if (amount === undefined || allowed?.unlimited.includes(measure)) return [];
    return [[measure, amount + (allowed?.[measure] ?? 0)] as const];
  });
  return Object.fromEntries(measures);
}

/** The day of a time in the time zone of the server. */
function toDay(at: number): { day: string; from: number; to: number } {
  const time = new Date(at);
  const [year, month, date] = [time.getFullYear(), time.getMonth(), time.getDate()];
  const day = [year, String(month + 1).padStart(2, "0"), String(date).padStart(2, "0")].join("-");
  return { day, from: new Date(year, month, date).getTime(), to: new Date(year, month, date + 1).getTime() };
}
