import { executionIdSchema, moveWaitingExecutionSchema, waitingExecutionSchema } from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: executionIdSchema });

/** Executions that wait because as many run as the limits allow. */
export const waitingRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/waiting-executions",
    access: "signed-in",
    summary: "List the executions that wait because of a limit, in the order in which they will start",
    response: z.array(waitingExecutionSchema),
    handle: ({ services }) => services.waitingExecutions.list(),
  }),
  emptyRoute({
    method: "POST",
    path: "/api/executions/:id/start-now",
    access: { project: "member" },
    summary: "Start a waiting execution now, whatever the limits are",
    params,
    handle: ({ services, params }) => services.waitingExecutions.startNow(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/executions/:id/move",
    access: { project: "member" },
    summary: "Move a waiting execution before another one, or to the end",
    params,
    body: moveWaitingExecutionSchema,
    response: z.array(waitingExecutionSchema),
    handle: ({ services, params, body }) => services.waitingExecutions.move(params.id, body.before),
  }),
];
