import {
  automationRunSchema,
  createIncomingHookSchema,
  hookReceiptSchema,
  incomingHookIdSchema,
  incomingHookSchema,
  issuedHookSchema,
  jsonValueSchema,
  updateIncomingHookSchema,
} from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { z } from "zod";
import { HttpProblem } from "../http-problem.ts";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";
import { findDeliveryId, findEvent, isSigned } from "../security/hook-signature.ts";

const maxBytes = 1024 * 1024;

/** The bytes that were signed, as text. */
async function readDelivery(upload: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of upload) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new HttpProblem({ status: 413, text: { code: "body-too-large", maxBytes } });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Senders wait and try again after this status. */
function toLimitProblem(error: unknown): never {
  if (!(error instanceof ServiceError) || error.text.code !== "webhook-limited") throw error;
  throw new HttpProblem({ status: 429, text: error.text, headers: { "retry-after": String(error.text.seconds) } });
}

const params = z.object({ id: incomingHookIdSchema });

export const hookRoutes: readonly Route[] = [
  jsonRoute({
    method: "POST",
    path: "/api/hooks/:id",
    access: "public",
    auditsItself: true,
    summary:
      "Deliver to an incoming webhook: signed with its secret (`X-Hub-Signature-256`, `X-Gitea-Signature`), or with the secret as `X-Gitlab-Token` or bearer token. " +
      "A delivery with a known `X-GitHub-Delivery`, `X-Gitea-Delivery`, `X-Gitlab-Event-UUID`, `Webhook-Id` or `Idempotency-Key` does nothing again",
    params,
    upload: jsonValueSchema,
    response: hookReceiptSchema,
    async handle({ services, params, headers, upload }) {
      const body = await readDelivery(upload);
      const isSignedWith = (secret: string) => isSigned(headers, body, secret);
      const delivery = { isSignedWith, id: findDeliveryId(headers), event: findEvent(headers), body };
      return services.incomingHooks.receive(params.id, delivery).catch(toLimitProblem);
    },
  }),
  jsonRoute({
    method: "GET",
    path: "/api/incoming-hooks",
    access: "signed-in",
    summary: "List the incoming webhooks by name. Their secrets are not part of it",
    response: z.array(incomingHookSchema),
    handle: ({ services }) => services.incomingHooks.list({}),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/incoming-hooks",
    access: { project: "owner" },
    summary: "Create an incoming webhook. The answer has its secret, which is shown this once",
    body: createIncomingHookSchema,
    status: 201,
    response: issuedHookSchema,
    handle: ({ services, body }) => services.incomingHooks.create(body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/incoming-hooks/:id",
    access: { project: "viewer" },
    summary: "Get an incoming webhook",
    params,
    response: incomingHookSchema,
    handle: ({ services, params }) => services.incomingHooks.get(params.id),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/incoming-hooks/:id",
    access: { project: "owner" },
    summary: "Change an incoming webhook, or turn it on or off. With users, what it starts belongs to who saved it last",
    params,
    body: updateIncomingHookSchema,
    response: incomingHookSchema,
    handle: ({ services, params, body }) => services.incomingHooks.update(params.id, body),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/incoming-hooks/:id/rotate",
    access: { project: "owner" },
    summary:
      "Replace the secret of an incoming webhook. The old one is refused at once; the answer has the new one, which is shown this once",
    params,
    response: issuedHookSchema,
    handle: ({ services, params }) => services.incomingHooks.rotate(params.id),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/incoming-hooks/:id",
    access: { project: "owner" },
    summary: "Delete an incoming webhook and the list of its deliveries. Tasks that it started stay",
    params,
    handle: ({ services, params }) => services.incomingHooks.remove(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/incoming-hooks/:id/runs",
    access: { project: "viewer" },
    summary: "List the last deliveries to an incoming webhook, newest first: what each started, or why it failed",
    params,
    response: z.array(automationRunSchema),
    handle: ({ services, params }) => services.incomingHooks.runs(params.id),
  }),
];
