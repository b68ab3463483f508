import {
  attemptIdSchema,
  attemptSchema,
  enrolWorkerSchema,
  hostIdSchema,
  inviteWorkerSchema,
  moveAttemptSchema,
  updateWorkerSchema,
  workerInvitationSchema,
  workerSchema,
} from "@skein/contracts";
import { z } from "zod";
import { refuseLimited } from "../refuse-limited.ts";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: hostIdSchema });

export const workerRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/workers",
    summary: "List the workers with their state, agents and executions",
    access: "signed-in",
    response: z.array(workerSchema),
    handle: ({ services }) => services.workers.list(),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/workers",
    summary: "Invite a worker: the code can be used once, within an hour",
    access: "admin",
    body: inviteWorkerSchema,
    status: 201,
    response: workerInvitationSchema,
    handle: ({ services, http, body }) => services.workers.invite(body, http.origin()),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/workers/enrolments",
    summary: "Exchange the code of an invitation for the credential of a worker",
    access: "public",
    body: enrolWorkerSchema,
    status: 201,
    response: z.object({ id: hostIdSchema }),
    handle: async ({ services, body, from }) => {
      refuseLimited(await services.workers.limitEnrolment(from.address));
      return services.workers.enrol(body, from.address);
    },
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/workers/:id",
    summary: "Drain a worker, which then starts no more agents, or activate it again",
    access: "admin",
    params,
    body: updateWorkerSchema,
    response: workerSchema,
    handle: ({ services, params, body }) => services.workers.update(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/workers/:id",
    summary: "Remove a worker for good: what runs there becomes interrupted",
    access: "admin",
    params,
    handle: ({ services, params }) => services.workers.remove(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/attempts/:id/move",
    summary: "Move an attempt to a worker, or to the server's own machine, with its last recorded files",
    access: { project: "member" },
    params: z.object({ id: attemptIdSchema }),
    body: moveAttemptSchema,
    response: attemptSchema,
    handle: ({ services, params, body }) => services.attempts.move(params.id, body),
  }),
];
