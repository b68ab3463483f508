import {
  attemptIdSchema,
  conversationPageSchema,
  createTaskSchema,
  deletionQuerySchema,
  deletionResultSchema,
  mergeModeSchema,
  projectIdSchema,
  queueStateSchema,
  taskIdSchema,
  taskSchema,
  taskStatusSchema,
  taskSummarySchema,
  updateTaskSchema,
  updateTasksSchema,
} from "@skein/contracts";
import { z } from "zod";
import { jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: taskIdSchema });

/** Where a task is in a list, as text. It need not exist any more for the page after it to be found. */
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
    summary:
      "List the tasks, by position; archived ones only when they are asked for. `limit` and `after` (`<position>,<createdAt>,<id>` of the last task of the page before) return a page. `descriptions=short` returns the first 200 characters of longer descriptions",
    query: z.object({
      projectId: projectIdSchema.exactOptional(),
      status: taskStatusSchema.exactOptional(),
      archived: z.enum(["true", "false", "all"]).default("false"),
      after: taskPlaceSchema.optional(),
      limit: z.coerce.number().int().min(1).optional(),
      descriptions: z.enum(["short", "whole"]).default("whole"),
    }),
    response: z.array(taskSummarySchema),
    handle: async ({ services, query: { archived, ...query } }) =>
      services.tasks.list(archived === "all" ? query : { ...query, archived: archived === "true" }),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/tasks",
    summary: "Create a task",
    body: createTaskSchema,
    status: 201,
    response: taskSchema,
    handle: ({ services, body }) => services.tasks.create(body),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/tasks",
    summary: "Change several tasks, all or none",
    body: updateTasksSchema,
    response: z.array(taskSchema),
    handle: ({ services, body }) => services.tasks.updateMany(body.updates),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/tasks/:id",
    summary: "Get a task and what goes on in it",
    params,
    response: taskSummarySchema,
    handle: ({ services, params }) => services.tasks.get(params.id),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/tasks/:id",
    summary: "Change a task",
    params,
    body: updateTaskSchema,
    response: taskSchema,
    handle: ({ services, params, body }) => services.tasks.update(params.id, body),
  }),
  jsonRoute({
    method: "DELETE",
    path: "/api/tasks/:id",
    summary: "Delete a task with its attempts",
    params,
    query: deletionQuerySchema,
    response: deletionResultSchema,
    handle: ({ services, params, query }) => services.tasks.remove(params.id, { discard: query.discard === "true" }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/tasks/:id/conversation",
    summary:
      "A page of the conversation: the newest, the one `before` the oldest message that the client has, the one `from` its newest on, or the one `around` a message. `mergeMode` is how tools are shown; the default is the setting",
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
    summary: "The messages that wait in the active attempt's queue, and whether it is paused",
    params,
    response: queueStateSchema,
    handle: ({ services, params }) => services.queue.get(params.id),
  }),
];
