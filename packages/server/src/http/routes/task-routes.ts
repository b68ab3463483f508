import {
  attemptIdSchema,
  conversationPageSchema,
  createTaskSchema,
  deletionQuerySchema,
  deletionResultSchema,
  listedTaskSchema,
  mergeModeSchema,
  projectIdSchema,
  queueStateSchema,
  taskIdSchema,
  taskOverviewSchema,
  taskSchema,
  taskStatusSchema,
  taskSummarySchema,
  updateTaskSchema,
  updateTasksSchema,
} from "@skein/contracts";
import { z } from "zod";
import { jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: taskIdSchema });

/** Which conversation an overview contains, and how much of it. */
export const taskOverviewQuery = {
  attemptId: attemptIdSchema.exactOptional(),
  messages: z.coerce.number().int().min(1).max(1000).default(100),
  mergeMode: mergeModeSchema.exactOptional(),
};

/** Position of a task in a list, as text. The page after it is found even if the task no longer exists. */
const taskPlaceSchema = z
  .string()
  .regex(/^-?[\d.eE+-]+,\d+,tsk_[0-9A-Za-z_-]+$/, "expected <position>,<createdAt>,<id>")
  .transform((text) => {
    const [position, createdAt, id] = text.split(",");
    return { position: Number(position), createdAt: Number(createdAt), id };
  })
  .pipe(z.object({ position: z.number(), createdAt: z.number(), id: taskIdSchema }));

export const taskRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/tasks",
    access: "signed-in",
    agents: true,
    summary:
      "List tasks by position. Archived tasks are included only on request. `limit` and `after` (`<position>,<createdAt>,<id>` of the last task of the previous page) select a page. `descriptions=short` truncates descriptions to 200 characters. `activity=short` omits the activity of idle tasks, and all usage except the cost",
    query: z.object({
      projectId: projectIdSchema.exactOptional(),
      status: taskStatusSchema.exactOptional(),
      archived: z.enum(["true", "false", "all"]).default("false"),
      after: taskPlaceSchema.optional(),
      limit: z.coerce.number().int().min(1).optional(),
      descriptions: z.enum(["short", "whole"]).default("whole"),
      activity: z.enum(["short", "whole"]).default("whole"),
    }),
    response: z.array(listedTaskSchema),
    handle: async ({ services, query: { archived, ...query } }) =>
      services.tasks.list(archived === "all" ? query : { ...query, archived: archived === "true" }),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/tasks",
    access: { project: "member" },
    agents: true,
    summary: "Create a task",
    body: createTaskSchema,
    status: 201,
    response: taskSchema,
    handle: ({ services, body }) => services.tasks.create(body),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/tasks",
    access: { project: "member" },
    summary: "Change several tasks atomically",
    body: updateTasksSchema,
    response: z.array(taskSchema),
    handle: ({ services, body }) => services.tasks.updateMany(body.updates),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/tasks/:id",
    access: { project: "viewer" },
    summary: "Get a task and its current activity",
    params,
    response: taskSummarySchema,
    handle: ({ services, params }) => services.tasks.get(params.id),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/tasks/:id",
    access: { project: "member" },
    summary: "Change a task",
    params,
    body: updateTaskSchema,
    response: taskSchema,
    handle: ({ services, params, body }) => services.tasks.update(params.id, body),
  }),
  jsonRoute({
    method: "DELETE",
    path: "/api/tasks/:id",
    access: { project: "member" },
    summary: "Delete a task and its attempts",
    params,
    query: deletionQuerySchema,
    response: deletionResultSchema,
    handle: ({ services, params, query }) => services.tasks.remove(params.id, { discard: query.discard === "true" }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/tasks/:id/overview",
    access: { project: "viewer" },
    summary:
      "Get a task that is opened, in one response: the task, its attempts, the newest `messages` of the conversation of one attempt, by " +
      "default the active one, and that attempt's executions",
    params,
    query: z.object(taskOverviewQuery),
    response: taskOverviewSchema,
    handle: ({ services, params, query }) =>
      services.overviews.task({ taskId: params.id, ...query, mergeMode: query.mergeMode ?? services.settings.general().mergeMode }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/tasks/:id/conversation",
    access: { project: "viewer" },
    summary:
      "Get a page of the conversation: the newest, the one `before` the client's oldest message, the one starting `from` its newest, or the one `around` a message. `mergeMode` selects how tools are shown; the default is the setting",
    params,
    query: z.object({
      attemptId: attemptIdSchema.exactOptional(),
      before: z.string().min(1).max(500).exactOptional(),
      from: z.string().min(1).max(500).exactOptional(),
      around: z.string().min(1).max(500).exactOptional(),
      limit: z.coerce.number().int().min(1).max(1000).default(200),
      mergeMode: mergeModeSchema.exactOptional(),
    }),
    response: conversationPageSchema,
    handle: ({ services, params, query }) =>
      services.conversation.page({ taskId: params.id, ...query, mergeMode: query.mergeMode ?? services.settings.general().mergeMode }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/tasks/:id/queue",
    access: { project: "viewer" },
    summary: "Get the active attempt's queued messages, and whether the queue is paused",
    params,
    response: queueStateSchema,
    handle: ({ services, params }) => services.queue.get(params.id),
  }),
];
