import {
  answerBudgetSchema,
  executionIdSchema,
  executionSchema,
  fallbackSchema,
  setTaskBudgetSchema,
  taskBudgetsSchema,
  taskIdSchema,
  updateParkedSchema,
  waitingExecutionSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: executionIdSchema });
const ofTask = z.object({ id: taskIdSchema });

/** Budgets, and executions that wait for their user or a provider. */
export const heldRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/held-executions",
    access: "signed-in",
    summary: "List the executions whose budget is used up, and those that are parked because of a limit of their provider",
    response: z.array(waitingExecutionSchema),
    handle: ({ services }) => services.heldExecutions.list(),
  }),
  emptyRoute({
    method: "POST",
    path: "/api/executions/:id/budget-answer",
    access: { project: "member" },
    scope: "approve",
    agents: "to-refuse",
    summary: "Answer the question of an execution whose budget is used up. Agents cannot answer",
    params,
    body: answerBudgetSchema,
    handle: ({ services, params, body, peer }) => services.heldExecutions.answer(params.id, body, peer),
  }),
  emptyRoute({
    method: "POST",
    path: "/api/executions/:id/resume",
    access: { project: "member" },
    summary: "Resume a parked execution now",
    params,
    handle: ({ services, params }) => services.heldExecutions.resume(params.id),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/executions/:id/parked",
    access: { project: "member" },
    summary: "Choose whether a parked execution resumes by itself",
    params,
    body: updateParkedSchema,
    response: executionSchema,
    handle: ({ services, params, body }) => services.heldExecutions.setAutomatic(params.id, body.isAutomatic),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/executions/:id/continue-with",
    access: { project: "member" },
    summary: "Continue a parked execution with another agent or model, in a new attempt",
    params,
    body: fallbackSchema,
    response: executionSchema,
    handle: ({ services, params, body }) => services.heldExecutions.continueWith(params.id, body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/tasks/:id/budget",
    access: { project: "viewer" },
    summary: "Get the budgets that apply to a task, and what was used of them",
    params: ofTask,
    response: taskBudgetsSchema,
    handle: ({ services, params }) => services.heldExecutions.budgets(params.id),
  }),
  jsonRoute({
    method: "PUT",
    path: "/api/tasks/:id/budget",
    access: { project: "member" },
    scope: "approve",
    agents: "to-refuse",
    summary: "Set the budget of a task. Agents cannot set it",
    params: ofTask,
    body: setTaskBudgetSchema,
    response: taskBudgetsSchema,
    handle: ({ services, params, body, peer }) => services.heldExecutions.setBudget(params.id, body.budget, peer),
  }),
];
