import type { Budget, BudgetMeasure, BudgetScope, CallBound, ExecutionId, ProjectId, ReachedBudget, TaskId, Usage } from "@skein/contracts";

/** Which executions are counted; `from`: those that started at this time or later. */
export type SpendingQuery = ({ executionId: ExecutionId } | { taskId: TaskId } | { projectId: ProjectId } | { all: true }) & {
  from?: number | undefined;
  /** Before this time. */
  to?: number | undefined;
};

/** What executions have used so far, running ones included. */
export interface SpendingSum {
  /** Null if none was reported. */
  costUsd: number | null;
  tokens: number;
  /** The time in which they ran and did not wait. */
  ms: number;
  isPartial: boolean;
}

/** What users decided about one subject of a scope: a task, an execution, a project, a day (`2026-01-31`), or a project's day. */
export interface StoredBudget {
  scope: BudgetScope;
  subject: string;
  /** Deleted with them. */
  projectId: ProjectId | null;
  taskId: TaskId | null;
  /** Replaces the budget of the settings. */
  own: Budget | null;
  /** Added to the budget; `unlimited`: measures without a limit from now on. */
  allowed: (Budget & { unlimited: BudgetMeasure[] }) | null;
}

/** What budgets need to know about an execution. */
export interface ExecutionSpending {
  usage: Usage;
  /** The model calls that it has permission for, by id. */
  openCalls: Record<string, CallBound>;
  /** The budget because of which it is being stopped. */
  stopping: ReachedBudget | null;
}

/** The part of the storage that budgets read (L2). */
export interface BudgetReader {
  sumSpending(query: SpendingQuery & { at: number }): Promise<SpendingSum>;
  /** The calls that running executions have permission for. */
  listOpenCalls(query: SpendingQuery): Promise<CallBound[]>;
  findSpending(query: { executionId: ExecutionId }): Promise<ExecutionSpending | undefined>;
  findBudget(query: Pick<StoredBudget, "scope" | "subject">): Promise<StoredBudget | undefined>;
  /** Whether users have decided anything about single tasks, executions, projects or days. */
  hasBudgets(): Promise<boolean>;
}

/** The part of the storage that budgets write. */
export interface BudgetTransaction extends BudgetReader {
  /** Of a running execution; absent fields keep their values. */
  setSpending(change: { executionId: ExecutionId } & Partial<ExecutionSpending>): Promise<void>;
  /** Inserts, or replaces what is stored of the subject. */
  putBudget(budget: StoredBudget): Promise<void>;
}
