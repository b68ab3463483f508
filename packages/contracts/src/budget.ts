import { z } from "zod";
import { executionIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/**
 * What a budget is counted over (L2): one execution; all executions of a task or a project; those of a project, or of the whole
 * installation, that were started on one day.
 */
export const budgetScopeSchema = z.enum(["execution", "task", "project", "projectDay", "day"]);
export type BudgetScope = z.infer<typeof budgetScopeSchema>;

/** US dollars; tokens of all requests, read and written; minutes in which agents worked. */
export const budgetMeasureSchema = z.enum(["costUsd", "tokens", "minutes"]);
export type BudgetMeasure = z.infer<typeof budgetMeasureSchema>;

const amount = z.number().positive().max(1_000_000_000);

/** How much may be used. What is absent has no limit. */
export const budgetSchema = z.object({
  costUsd: amount.exactOptional(),
  tokens: amount.int().exactOptional(),
  minutes: amount.exactOptional(),
});
export type Budget = z.infer<typeof budgetSchema>;

/** Budgets by scope. An absent scope has none. */
export const projectBudgetsSchema = z.object({
  execution: budgetSchema.exactOptional(),
  task: budgetSchema.exactOptional(),
  project: budgetSchema.exactOptional(),
  projectDay: budgetSchema.exactOptional(),
});

/** The budgets of the settings. Those of a project replace those of the same scope. */
export const budgetSettingsSchema = projectBudgetsSchema.extend({
  day: budgetSchema.exactOptional(),
  perProject: z.record(projectIdSchema, projectBudgetsSchema),
});
export type BudgetSettings = z.infer<typeof budgetSettingsSchema>;

/** A budget that is used up: `spent` of `limit`, in the unit of the measure. */
export const reachedBudgetSchema = z.object({
  scope: budgetScopeSchema,
  measure: budgetMeasureSchema,
  spent: z.number().nonnegative(),
  limit: z.number().positive(),
  /** What “more” would add to it. */
  more: z.number().positive(),
  /** An agent reported only a part of it: `spent` is a lower bound. */
  isPartial: z.boolean(),
});
export type ReachedBudget = z.infer<typeof reachedBudgetSchema>;

/** How to continue: with as much again, without this budget, or not at all. */
export const budgetDecisionSchema = z.enum(["more", "unlimited", "stop"]);
export type BudgetDecision = z.infer<typeof budgetDecisionSchema>;

/** The answer to the question of an execution whose budget is used up. */
export const answerBudgetSchema = z.object({
  decision: budgetDecisionSchema,
  /** Since when the question was asked: an answer to an earlier question is rejected. */
  since: timestampSchema,
});

/** What was used of a scope so far. */
export const spendingSchema = z.object({
  /** Null if none was reported. */
  costUsd: z.number().nonnegative().nullable(),
  tokens: z.number().nonnegative(),
  minutes: z.number().nonnegative(),
  isPartial: z.boolean(),
});
export type Spending = z.infer<typeof spendingSchema>;

/** A budget that applies to a task, with what was allowed beyond it, and what was used of it. */
export const budgetStateSchema = z.object({
  scope: budgetScopeSchema,
  /** With what was added by answers; what is absent has no limit. */
  budget: budgetSchema,
  spent: spendingSchema,
});
export type BudgetState = z.infer<typeof budgetStateSchema>;

/** The budgets of a task. */
export const taskBudgetsSchema = z.object({
  taskId: taskIdSchema,
  /** Its own; null if those of the project or the installation apply. */
  own: budgetSchema.nullable(),
  states: z.array(budgetStateSchema),
  /** The execution that waits for an answer. */
  asking: executionIdSchema.nullable(),
});
export type TaskBudgets = z.infer<typeof taskBudgetsSchema>;
/** Null: the budget of the project or the installation. */
export const setTaskBudgetSchema = z.object({ budget: budgetSchema.nullable() });
