import { createHash, randomUUID } from "node:crypto";
import {
  attemptIdSchema,
  attemptSummarySchema,
  commandResultSchema,
  executionIdSchema,
  listedTaskSchema,
  maxRacers,
  permissionModeSchema,
  projectIdSchema,
  startedRaceSchema,
  startedTaskSchema,
  taskIdSchema,
  taskSchema,
  taskSummarySchema,
} from "@skein/contracts";
import { z } from "zod";
import { toQuery } from "./api.ts";
import { toAttemptLinks, toResult } from "./tool-result.ts";
import { adding, defineTool, reading, type SkeinTool } from "./tools.ts";

const idempotencyKey = z
  .string()
  .min(1)
  .max(150)
  .optional()
  .describe(
    "Choose one per intended action and repeat it when you retry: the action then happens once. Reusing it for other content is an error",
  );

const shownTask = z.object({
  id: taskIdSchema,
  projectId: projectIdSchema,
  title: z.string(),
  status: z.string(),
  activeAttemptId: attemptIdSchema.nullable(),
  running: z.boolean(),
  pendingApprovals: z.int(),
});
const shownAttempt = z.object({
  id: attemptIdSchema,
  number: z.int(),
  agent: z.string(),
  model: z.string().nullable(),
  permissionMode: z.string(),
  branch: z.string().nullable(),
  baseBranch: z.string().nullable(),
  active: z.boolean(),
  lastEnd: z.string().nullable().describe("How its last execution ended; null: none has"),
  costUsd: z.number().nullable(),
});

export const taskTools: readonly SkeinTool[] = [
  defineTool({
    name: "list_tasks",
    scope: "read",
    title: "List tasks",
    description: "Lists tasks with their state, in the order of the board. Continue with `cursor`, the `nextCursor` of the previous page.",
    input: z.object({
      projectId: projectIdSchema.optional(),
      status: z.enum(["todo", "in-progress", "in-review", "done", "cancelled"]).optional(),
      limit: z.int().min(1).max(200).default(50),
      cursor: z.string().max(200).optional(),
    }),
    output: z.object({ tasks: z.array(shownTask), nextCursor: z.string().optional() }),
    annotations: reading,
    async run({ cursor, ...query }, { api, signal }) {
      const path = `/api/tasks${toQuery({ ...query, after: cursor, descriptions: "short", activity: "short" })}`;
      const tasks = await api.get(path, z.array(listedTaskSchema), signal);
      const last = tasks.length === query.limit ? tasks.at(-1) : undefined;
      const next = last === undefined ? {} : { nextCursor: `${last.position},${last.createdAt},${last.id}` };
      return toResult({ tasks: tasks.map(toShownTask), ...next });
    },
  }),
  defineTool({
    name: "get_task",
    scope: "read",
    title: "Get a task",
    description:
      "Returns a task with its description and attempts. An attempt is one try at the task by one agent, usually in its own git worktree.",
    input: z.object({ taskId: taskIdSchema }),
    output: z.object({ task: shownTask.extend({ description: z.string() }), attempts: z.array(shownAttempt) }),
    annotations: reading,
    async run({ taskId }, { api, signal }) {
      const task = await api.get(`/api/tasks/${taskId}`, taskSummarySchema, signal);
      const attempts = await api.get(`/api/tasks/${taskId}/attempts`, z.array(attemptSummarySchema), signal);
      return toResult({ task: { ...toShownTask(task), description: task.description }, attempts: attempts.map(toShownAttempt) });
    },
  }),
  defineTool({
    name: "create_task",
    scope: "write",
    title: "Create a task",
    description: "Adds a task to the board without starting an agent. To have an agent do it at once, use start_task instead.",
    input: z.object({
      projectId: projectIdSchema,
      title: z.string().min(1).max(500),
      description: z.string().max(100_000).optional(),
      idempotencyKey,
    }),
    output: z.object({ taskId: taskIdSchema }),
    annotations: adding,
    async run({ idempotencyKey: key, ...input }, { api, signal }) {
      const id = key === undefined ? {} : { id: toTaskId(input.projectId, key) };
      const task = await api.post("/api/tasks", { ...input, ...id }, taskSchema, signal);
      return toResult({ taskId: task.id });
    },
  }),
  defineTool({
    name: "start_task",
    scope: "write",
    title: "Start an agent on a task",
    description:
      "Starts a coding agent: on a new task (give projectId), or as a new attempt at an existing one (give taskId). It works in its own git worktree and branch, and does not see your conversation: the prompt must contain everything it needs. Returns at once; use wait for the end, then read_conversation and get_diff for the result.",
    input: z.object({
      prompt: z.string().min(1).max(1_000_000).describe("What to do, with all context that the agent needs"),
      projectId: projectIdSchema.optional().describe("For a new task"),
      taskId: taskIdSchema.optional().describe("For another attempt at an existing task"),
      title: z.string().min(1).max(500).optional().describe("Of a new task. Default: derived from the prompt"),
      agent: z.string().max(200).optional().describe("See list_agents. Default: the user's"),
      model: z.string().max(300).optional().describe("See list_agents"),
      permissionMode: permissionModeSchema
        .optional()
        .describe("What it may do without asking the user. Default: the user's; for agents inside Skein, their own, and no more than that"),
      baseBranch: z.string().min(1).max(500).optional().describe("Default: the branch that is checked out in the project"),
      continueFrom: attemptIdSchema.optional().describe("An attempt at the same task to continue from, with its history and files"),
      idempotencyKey,
    }),
    output: z.object({ taskId: taskIdSchema, attemptId: attemptIdSchema, executionId: executionIdSchema, agent: z.string() }),
    annotations: adding,
    async run({ prompt, projectId, taskId, title, idempotencyKey: key = randomUUID(), ...attempt }, { api, signal }) {
      if ((projectId === undefined) === (taskId === undefined)) return wrongTask;
      const task = taskId === undefined ? { projectId, ...(title === undefined ? {} : { title }) } : { id: taskId };
      const started = await api.post("/api/starts", { id: `mcp ${key}`, task, attempt, message: prompt }, startedTaskSchema, signal);
      const { attempt: made, executionId } = started;
      const data = { taskId: started.task.id, attemptId: made.id, executionId, agent: made.agent };
      return toResult(data, { links: toAttemptLinks(made.id) });
    },
  }),
  defineTool({
    name: "start_race",
    scope: "write",
    title: "Start several agents on the same task",
    description:
      "Sends one prompt to several coding agents at once, each in its own git worktree: on a new task (give projectId), or as new attempts at an existing one (give taskId). When an agent has ended, the project's check script runs in its worktree, if there is one. Returns at once; use wait for the ends, then get_diff of each to compare them. Each attempt counts towards your limits.",
    input: z.object({
      prompt: z.string().min(1).max(1_000_000).describe("What to do, with all context that the agents need"),
      projectId: projectIdSchema.optional().describe("For a new task"),
      taskId: taskIdSchema.optional().describe("For more attempts at an existing task"),
      title: z.string().min(1).max(500).optional().describe("Of a new task. Default: derived from the prompt"),
      agents: z
        .array(z.object({ agent: z.string().max(200), model: z.string().max(300).optional() }))
        .min(2)
        .max(maxRacers)
        .describe("See list_agents; the same agent may be there more than once, with other models"),
      permissionMode: permissionModeSchema.optional().describe("As in start_task"),
      idempotencyKey,
    }),
    output: z.object({ taskId: taskIdSchema, attempts: z.array(z.object({ attemptId: attemptIdSchema, agent: z.string() })) }),
    annotations: adding,
    async run({ prompt, projectId, taskId, title, agents, permissionMode, idempotencyKey: key = randomUUID() }, { api, signal }) {
      if ((projectId === undefined) === (taskId === undefined)) return wrongTask;
      const task = taskId === undefined ? { projectId, ...(title === undefined ? {} : { title }) } : { id: taskId };
      const attempts = agents.map((one) => ({ ...one, ...(permissionMode === undefined ? {} : { permissionMode }) }));
      const started = await api.post("/api/races", { id: `mcp ${key}`, task, attempts, message: prompt }, startedRaceSchema, signal);
      return toResult({ taskId: started.task.id, attempts: started.attempts.map(({ id, agent }) => ({ attemptId: id, agent })) });
    },
  }),
  defineTool({
    name: "send_message",
    scope: "write",
    title: "Send a message to an agent",
    description:
      "Sends a message to the agent of an attempt. If it is working, the message waits until it has ended, or with `steer` reaches it at its next step. `executionId`: it was started, or steered; `queued`: it waits.",
    input: z.object({
      taskId: taskIdSchema,
      attemptId: attemptIdSchema.optional().describe("Default: the active attempt of the task"),
      message: z.string().min(1).max(1_000_000),
      steer: z.boolean().optional(),
      idempotencyKey,
    }),
    output: z.object({ executionId: executionIdSchema.optional(), queued: z.string().optional() }),
    annotations: adding,
    async run({ idempotencyKey: key = randomUUID(), ...input }, { api, signal }) {
      const command = { id: `mcp ${key}`, type: "SEND_MESSAGE", ...input };
      return toResult({ ...(await api.post("/api/commands", command, commandResultSchema, signal)) });
    },
  }),
  defineTool({
    name: "stop",
    scope: "write",
    title: "Stop an agent",
    description: "Stops the agent of an attempt and pauses its queue. What it has done is kept. `stopped` is false if nothing was running.",
    input: z.object({ taskId: taskIdSchema, attemptId: attemptIdSchema.optional().describe("Default: the active attempt of the task") }),
    output: z.object({ stopped: z.boolean() }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run(input, { api, signal }) {
      const result = await api.post("/api/commands", { type: "STOP_EXECUTION", ...input }, commandResultSchema, signal);
      return toResult({ stopped: result.executionId !== undefined });
    },
  }),
];

const wrongTask = {
  isError: true as const,
  content: [{ type: "text" as const, text: "Give either projectId, for a new task, or taskId, for an existing one." }],
};

/** The same key in the same project leads to the same task. */
function toTaskId(projectId: string, key: string): string {
  return `tsk_${createHash("sha256").update(`${projectId} ${key}`).digest("hex").slice(0, 26)}`;
}

function toShownTask(task: z.output<typeof listedTaskSchema> | z.output<typeof taskSummarySchema>): z.output<typeof shownTask> {
  const { id, projectId, title, status, activeAttemptId, activity } = task;
  return { id, projectId, title, status, activeAttemptId, running: activity.executing, pendingApprovals: activity.pendingApprovals };
}

function toShownAttempt(attempt: z.output<typeof attemptSummarySchema>): z.output<typeof shownAttempt> {
  const { id, number, agent, model, permissionMode, branch, baseBranch, active, lastEnd, totals } = attempt;
  const ended = { lastEnd: lastEnd?.status ?? null, costUsd: totals.usage.costUsd ?? null };
  return { id, number, agent, model, permissionMode, branch, baseBranch, active, ...ended };
}
