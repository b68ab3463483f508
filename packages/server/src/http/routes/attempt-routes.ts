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
  exportFormatSchema,
  exportRequestSchema,
  foundMessagesSchema,
  historyMessageSchema,
  historyPageSchema,
  messageIdSchema,
  nextRequestSchema,
  previewRedactionSchema,
  redactionPreviewSchema,
  requestProviderSchema,
  storedMessageSchema,
  taskIdSchema,
  updateAttemptSchema,
} from "@skein/contracts";
import { z } from "zod";
import type { Services } from "../../services/services.ts";
import { emptyRoute, jsonRoute, type Route, rawRoute } from "../route.ts";

const ofTask = z.object({ id: taskIdSchema });
const params = z.object({ id: attemptIdSchema });
const exportTypes = ["application/json", "text/markdown", "text/html"];

export const attemptRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/tasks/:id/attempts",
    access: { project: "viewer" },
    summary: "List the attempts of a task",
    params: ofTask,
    response: z.array(attemptSummarySchema),
    handle: ({ services, params }) => services.attempts.list(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/tasks/:id/attempts",
    access: { project: "member" },
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
    access: { project: "viewer" },
    summary: "Get an attempt with its totals",
    params,
    response: attemptSummarySchema,
    handle: ({ services, params }) => services.attempts.get(params.id),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/attempts/:id",
    access: { project: "member" },
    scope: "approve",
    summary: "Change the model or permission mode, effective from the next execution",
    params,
    body: updateAttemptSchema,
    response: attemptSchema,
    handle: ({ services, params, body }) => services.attempts.update(params.id, body),
  }),
  emptyRoute({
    method: "POST",
    path: "/api/attempts/:id/undo-compression",
    access: { project: "member" },
    summary: "Undo the last compression of the conversation",
    params,
    handle: ({ services, params }) => services.attempts.undoCompression(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/compression",
    access: { project: "viewer" },
    summary: "Get the summary that currently replaces older messages, if there is one",
    params,
    response: activeCompressionSchema,
    handle: ({ services, params }) => services.conversation.activeCompression(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/find",
    access: { project: "viewer" },
    summary: "Find a text in the conversation of an attempt, in conversation order",
    params,
    query: z.object({ q: z.string().min(1).max(500), limit: z.coerce.number().int().min(1).max(5000).default(1000) }),
    response: foundMessagesSchema,
    handle: ({ services, params, query }) => services.conversation.find({ attemptId: params.id, text: query.q, limit: query.limit }),
  }),
  jsonRoute({
    method: "DELETE",
    path: "/api/attempts/:id",
    access: { project: "member" },
    summary: "Delete an attempt and its worktree",
    params,
    query: deletionQuerySchema,
    response: deletionResultSchema,
    handle: ({ services, params, query }) => services.attempts.remove(params.id, { discard: query.discard === "true" }),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/attempts/:id/activate",
    access: { project: "member" },
    summary: "Make an attempt the task's active one",
    params,
    response: attemptSchema,
    handle: ({ services, params }) => services.attempts.activate(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/diff",
    access: { project: "viewer" },
    summary: "Get the attempt's changes since its base commit",
    params,
    response: attemptDiffSchema,
    handle: ({ services, params }) => services.attempts.diff(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/diff-stat",
    access: { project: "viewer" },
    summary: "Get the size of the attempt's changes since its base commit. `uncommitted=true` also counts uncommitted files",
    params,
    query: z.object({ uncommitted: z.stringbool().default(false) }),
    response: diffStatSchema,
    handle: ({ services, params, query }) => services.attempts.diffStat(params.id, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/executions",
    access: { project: "viewer" },
    summary: "List the executions of an attempt",
    params,
    response: z.array(executionSchema),
    handle: ({ services, params }) => services.attempts.executions(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/messages",
    access: { project: "viewer" },
    summary: "List the stored protocol messages (user, assistant, tool, system) in order: all, or `limit` messages after `after`",
    params,
    query: z.object({ after: messageIdSchema.optional(), limit: z.coerce.number().int().min(1).optional() }),
    response: z.array(storedMessageSchema),
    handle: ({ services, params, query }) => services.attempts.messages(params.id, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/history",
    access: { project: "viewer" },
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
    access: { project: "viewer" },
    summary: "Get a message of the history with full texts and images",
    params,
    query: z.object({ messageId: messageIdSchema }),
    response: historyMessageSchema,
    handle: ({ services, params, query }) => services.attempts.historyMessage(params.id, query.messageId),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/request",
    access: { project: "viewer" },
    summary: "Preview the next request to the provider; for agents that build their own requests, the transcript",
    params,
    query: z.object({ provider: requestProviderSchema.optional(), message: z.string().max(100_000).optional() }),
    response: nextRequestSchema,
    handle: ({ services, params, query }) => services.attempts.nextRequest(params.id, query),
  }),
  rawRoute({
    method: "GET",
    path: "/api/attempts/:id/export",
    access: { project: "viewer" },
    summary: "Download an attempt with its conversation. Secrets are redacted unless `redact` is false",
    params,
    query: z.object({ format: exportFormatSchema.default("json"), redact: z.stringbool().default(true) }),
    mediaTypes: exportTypes,
    handle: async ({ services, params, query: { format, redact }, stream }) => {
      const request = exportRequestSchema.parse({ format, ...(redact ? {} : { redaction: null }) });
      return toDownload(await services.attempts.export(params.id, request), stream);
    },
  }),
  rawRoute({
    method: "POST",
    path: "/api/attempts/:id/export",
    access: { project: "viewer" },
    summary: "Download an attempt: its format, what is included, and what is redacted",
    params,
    body: exportRequestSchema,
    mediaTypes: exportTypes,
    handle: async ({ services, params, body, stream }) => toDownload(await services.attempts.export(params.id, body), stream),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/attempts/:id/export/preview",
    access: { project: "viewer" },
    summary: "List what an export would redact, with masked values. Changes nothing",
    params,
    body: previewRedactionSchema,
    response: redactionPreviewSchema,
    handle: ({ services, params, body }) => services.attempts.previewRedaction(params.id, body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/executions/:id/diff",
    access: { project: "viewer" },
    summary: "Get the execution's changes since the end of the previous one",
    params: z.object({ id: executionIdSchema }),
    response: attemptDiffSchema,
    handle: ({ services, params }) => services.executions.diff(params.id),
  }),
  rawRoute({
    method: "GET",
    path: "/api/executions/:id/outputs/:name",
    access: { project: "viewer" },
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

/** Always as a file: a page that an attempt was exported to is not one of ours. */
function toDownload(
  { mediaType, fileName, pieces }: Awaited<ReturnType<Services["attempts"]["export"]>>,
  stream: (pieces: AsyncGenerator<string, void>, headers: Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> {
  return stream(pieces, { "content-type": mediaType, "content-disposition": `attachment; filename="${toHeaderSafe(fileName)}"` });
}

/** A task's title becomes a file name: quotes and line endings in it must not break the header. */
function toHeaderSafe(fileName: string): string {
  return fileName.replace(/[^A-Za-z0-9._ -]/g, "_");
}
