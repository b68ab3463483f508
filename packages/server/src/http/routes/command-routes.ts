import {
  answerApprovalSchema,
  approvalIdSchema,
  approvalSchema,
  attemptIdSchema,
  commandResultSchema,
  commandSchema,
  inboxItemIdSchema,
  inboxItemSchema,
  moveQueuedMessageSchema,
  queuedMessageIdSchema,
  queuedMessageSchema,
  startedTaskSchema,
  startTaskSchema,
  updateInboxItemSchema,
  updateQueuedMessageSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const queued = z.object({ id: queuedMessageIdSchema });

export const commandRoutes: readonly Route[] = [
  jsonRoute({
    method: "POST",
    path: "/api/starts",
    summary:
      "Create a task, or use an existing one, with an attempt, and send its first message, atomically. Repeating a request with the same `id` returns the first result",
    body: startTaskSchema,
    bodyLimit: "commandBodyBytes",
    status: 201,
    response: startedTaskSchema,
    handle: ({ services, body }) => services.start(body),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/commands",
    summary:
      "Send a message to the task's active attempt, stop its execution, or resume its paused queue. Repeating a request with the same `id` returns the first result",
    body: commandSchema,
    bodyLimit: "commandBodyBytes",
    response: commandResultSchema,
    handle: ({ services, body }) => services.commands.execute(body),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/queue/:id",
    summary: "Edit a queued message",
    params: queued,
    body: updateQueuedMessageSchema,
    bodyLimit: "commandBodyBytes",
    response: queuedMessageSchema,
    handle: ({ services, params, body }) => services.queue.update(params.id, body.message),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/queue/:id/move",
    summary: "Move a queued message before another one, or to the end of the queue",
    params: queued,
    body: moveQueuedMessageSchema,
    response: z.array(queuedMessageSchema),
    handle: ({ services, params, body }) => services.queue.move(params.id, body.before),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/queue/:id",
    summary: "Remove a queued message",
    params: queued,
    handle: ({ services, params }) => services.queue.remove(params.id),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/attempts/:id/queue",
    summary: "Discard all queued messages of an attempt",
    params: z.object({ id: attemptIdSchema }),
    handle: ({ services, params }) => services.queue.discard(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/approvals",
    summary: "List approvals",
    query: z.object({
      status: z.enum(["pending", "answered", "expired"]).exactOptional(),
      attemptId: attemptIdSchema.exactOptional(),
    }),
    response: z.array(approvalSchema),
    handle: ({ services, query }) => services.approvals.list(query),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/approvals/:id",
    summary: "Answer an approval. The first answer counts",
    params: z.object({ id: approvalIdSchema }),
    body: answerApprovalSchema,
    response: approvalSchema,
    handle: ({ services, params, body, peer }) => services.approvals.answer(params.id, body, peer),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/inbox",
    summary:
      "List what needs the user, oldest first: ended executions that nobody has seen, and pull requests with failed checks or requested changes that the agent has not been sent. Questions of agents are pending approvals",
    response: z.array(inboxItemSchema),
    handle: ({ services }) => services.inbox.list(),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/inbox/:id",
    summary: "Clear or restore an inbox item, by the id of its execution, or of the attempt whose pull request it is",
    params: z.object({ id: inboxItemIdSchema }),
    body: updateInboxItemSchema,
    response: inboxItemSchema,
    handle: ({ services, params, body }) => services.inbox.update(params.id, body),
  }),
];
