import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
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
    summary: "Create an attempt; it becomes the active one of its task",
    params: ofTask,
    body: createAttemptSchema,
    status: 201,
    response: attemptSchema,
    handle: ({ services, params, body }) => services.attempts.create(params.id, body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id",
    summary: "Get an attempt and its sums",
    params,
    response: attemptSummarySchema,
    handle: ({ services, params }) => services.attempts.get(params.id),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/attempts/:id",
    summary: "Change the model or the permission mode, from the next execution on",
    params,
    body: updateAttemptSchema,
    response: attemptSchema,
    handle: ({ services, params, body }) => services.attempts.update(params.id, body),
  }),
  emptyRoute({
    method: "POST",
    path: "/api/attempts/:id/undo-compression",
    summary: "Take the last compression of the conversation back",
    params,
    handle: ({ services, params }) => services.attempts.undoCompression(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/compression",
    summary: "The summary that stands for older messages now, if there is one",
    params,
    response: activeCompressionSchema,
    handle: ({ services, params }) => services.conversation.activeCompression(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/find",
    summary: "Where a text occurs in the conversation of an attempt, in its order",
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
    summary: "Make an attempt the active one of its task",
    params,
    response: attemptSchema,
    handle: ({ services, params }) => services.attempts.activate(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/diff",
    summary: "What the attempt changed since its base commit",
    params,
    response: attemptDiffSchema,
    handle: ({ services, params }) => services.attempts.diff(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/diff-stat",
    summary: "How much the attempt changed since its base commit; `uncommitted=true` also counts the files that are in no commit",
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
    summary: "The stored protocol messages (user, assistant, tool, system), in order; all of them, or `limit` after the message `after`",
    params,
    query: z.object({ after: messageIdSchema.optional(), limit: z.coerce.number().int().min(1).optional() }),
    response: z.array(storedMessageSchema),
    handle: ({ services, params, query }) => services.attempts.messages(params.id, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/history",
    summary: "What requests are built from, page by page: inherited messages first, those of a running execution last",
    params,
    query: z.object({
      /** Negative: counted from the end. */
      offset: z.coerce.number().int().default(0),
      limit: z.coerce.number().int().min(1).max(1000).default(500),
    }),
    response: historyPageSchema,
    handle: ({ services, params, query }) => services.attempts.history(params.id, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/history/message",
    summary: "A message of the history, with its whole texts and images",
    params,
    query: z.object({ messageId: messageIdSchema }),
    response: historyMessageSchema,
    handle: ({ services, params, query }) => services.attempts.historyMessage(params.id, query.messageId),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/request",
    summary: "The next request as it would be sent to a provider; for agents that build their own, the transcript",
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
    summary: "What the execution changed since the end of the one before it",
    params: z.object({ id: executionIdSchema }),
    response: attemptDiffSchema,
    handle: ({ services, params }) => services.executions.diff(params.id),
  }),
  rawRoute({
    method: "GET",
    path: "/api/executions/:id/outputs/:name",
    summary: "Download the whole output of a tool that was too long to be shown",
    params: z.object({ id: executionIdSchema, name: z.string().min(1).max(255) }),
    mediaTypes: ["application/octet-stream"],
    handle: async ({ services, params, method }) => {
      const { path, size } = await services.executions.findOutput(params.id, params.name);
      const headers = {
        "content-type": "application/octet-stream",
        "content-length": String(size),
        "content-disposition": `attachment; filename="${toHeaderSafe(params.name)}"`,
      };
      return new Response(method === "HEAD" ? null : (Readable.toWeb(createReadStream(path)) as ReadableStream), { headers });
    },
  }),
];

/** A title of a task becomes a file name: a quote or a line end in it must not become a header. */
function toHeaderSafe(fileName: string): string {
  return fileName.replace(/[^A-Za-z0-9._ -]/g, "_");
}
