import {
  activeCompressionSchema,
  attemptDiffSchema,
  attemptIdSchema,
  attemptSchema,
  attemptSummarySchema,
  createAttemptSchema,
  deletionQuerySchema,
  deletionResultSchema,
  diffStatSchema,
  executionIdSchema,
  executionSchema,
  foundMessagesSchema,
  historyMessageSchema,
  historyPageSchema,
  messageIdSchema,
  nextRequestSchema,
  requestProviderSchema,
  storedMessageSchema,
  taskIdSchema,
  updateAttemptSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route, rawRoute } from "../route.ts";

const ofTask = z.object({ id: taskIdSchema });
const params = z.object({ id: attemptIdSchema });

export const attemptRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/tasks/:id/attempts",
    summary: "List the attempts of a task",
    params: ofTask,
    response: z.array(attemptSummarySchema),
    handle: ({ services, params }) => services.attempts.list(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/tasks/:id/attempts",
    summary: "Create an attempt, which becomes the task's active one",
    params: ofTask,
    body: createAttemptSchema,
    status: 201,
    response: attemptSchema,
    handle: ({ services, params, body }) => services.attempts.create(params.id, body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id",
    summary: "Get an attempt with its totals",
    params,
    response: attemptSummarySchema,
    handle: ({ services, params }) => services.attempts.get(params.id),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/attempts/:id",
    summary: "Change the model or permission mode, effective from the next execution",
    params,
    body: updateAttemptSchema,
    response: attemptSchema,
    handle: ({ services, params, body }) => services.attempts.update(params.id, body),
  }),
  emptyRoute({
    method: "POST",
    path: "/api/attempts/:id/undo-compression",
    summary: "Undo the last compression of the conversation",
    params,
    handle: ({ services, params }) => services.attempts.undoCompression(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/compression",
    summary: "Get the summary that currently replaces older messages, if there is one",
    params,
    response: activeCompressionSchema,
    handle: ({ services, params }) => services.conversation.activeCompression(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/find",
    summary: "Find a text in the conversation of an attempt, in conversation order",
    params,
    query: z.object({ q: z.string().min(1).max(500), limit: z.coerce.number().int().min(1).max(5000).default(1000) }),
    response: foundMessagesSchema,
    handle: ({ services, params, query }) => services.conversation.find({ attemptId: params.id, text: query.q, limit: query.limit }),
  }),
  jsonRoute({
    method: "DELETE",
    path: "/api/attempts/:id",
    summary: "Delete an attempt and its worktree",
    params,
    query: deletionQuerySchema,
    response: deletionResultSchema,
    handle: ({ services, params, query }) => services.attempts.remove(params.id, { discard: query.discard === "true" }),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/attempts/:id/activate",
    summary: "Make an attempt the task's active one",
    params,
    response: attemptSchema,
    handle: ({ services, params }) => services.attempts.activate(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/diff",
    summary: "Get the attempt's changes since its base commit",
    params,
    response: attemptDiffSchema,
    handle: ({ services, params }) => services.attempts.diff(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/diff-stat",
    summary: "Get the size of the attempt's changes since its base commit. `uncommitted=true` also counts uncommitted files",
    params,
    query: z.object({ uncommitted: z.stringbool().default(false) }),
    response: diffStatSchema,
    handle: ({ services, params, query }) => services.attempts.diffStat(params.id, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/executions",
    summary: "List the executions of an attempt",
    params,
    response: z.array(executionSchema),
    handle: ({ services, params }) => services.attempts.executions(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/messages",
    summary: "List the stored protocol messages (user, assistant, tool, system) in order: all, or `limit` messages after `after`",
    params,
    query: z.object({ after: messageIdSchema.optional(), limit: z.coerce.number().int().min(1).optional() }),
    response: z.array(storedMessageSchema),
    handle: ({ services, params, query }) => services.attempts.messages(params.id, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/history",
    summary: "List the messages that requests are built from, in pages: inherited ones first, those of a running execution last",
    params,
    query: z.object({
      /** Negative offsets count from the end. */
      offset: z.coerce.number().int().default(0),
      limit: z.coerce.number().int().min(1).max(1000).default(500),
    }),
    response: historyPageSchema,
    handle: ({ services, params, query }) => services.attempts.history(params.id, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/history/message",
    summary: "Get a message of the history with full texts and images",
    params,
    query: z.object({ messageId: messageIdSchema }),
    response: historyMessageSchema,
    handle: ({ services, params, query }) => services.attempts.historyMessage(params.id, query.messageId),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/request",
    summary: "Preview the next request to the provider; for agents that build their own requests, the transcript",
    params,
    query: z.object({ provider: requestProviderSchema.optional(), message: z.string().max(100_000).optional() }),
    response: nextRequestSchema,
    handle: ({ services, params, query }) => services.attempts.nextRequest(params.id, query),
  }),
  rawRoute({
    method: "GET",
    path: "/api/attempts/:id/export",
    summary: "Download an attempt with its conversation",
    params,
    query: z.object({ format: z.enum(["json", "markdown"]).default("json") }),
    mediaTypes: ["application/json", "text/markdown"],
    handle: async ({ services, params, query, stream }) => {
      const { mediaType, fileName, pieces } = await services.attempts.export(params.id, query.format);
      return stream(pieces, { "content-type": mediaType, "content-disposition": `attachment; filename="${toHeaderSafe(fileName)}"` });
    },
  }),
  jsonRoute({
    method: "GET",
    path: "/api/executions/:id/diff",
    summary: "Get the execution's changes since the end of the previous one",
    params: z.object({ id: executionIdSchema }),
    response: attemptDiffSchema,
    handle: ({ services, params }) => services.executions.diff(params.id),
  }),
  rawRoute({
    method: "GET",
    path: "/api/executions/:id/outputs/:name",
    summary: "Download the full output of a tool that was too long to show",
    params: z.object({ id: executionIdSchema, name: z.string().min(1).max(255) }),
    mediaTypes: ["application/octet-stream"],
    handle: async ({ services, params, method }) => {
      const { size, read } = await services.executions.findOutput(params.id, params.name);
      const headers = {
        "content-type": "application/octet-stream",
        "content-length": String(size),
        "content-disposition": `attachment; filename="${toHeaderSafe(params.name)}"`,
      };
      return new Response(method === "HEAD" ? null : ReadableStream.from(read()), { headers });
    },
  }),
];

/** A task's title becomes a file name: quotes and line endings in it must not break the header. */
function toHeaderSafe(fileName: string): string {
  return fileName.replace(/[^A-Za-z0-9._ -]/g, "_");
}
