import { executionIdSchema, quarantineListSchema, recoveredExecutionSchema } from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: executionIdSchema });

export const quarantineRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/quarantine",
    summary: "Executions whose logs are in the data dir and which the database does not know, oldest first",
    response: quarantineListSchema,
    handle: async ({ services }) => ({ entries: await services.quarantine.list() }),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/quarantine/:id/recover",
    summary: "Read the log of a quarantined execution into the database; an agent that still runs is followed again",
    params,
    response: recoveredExecutionSchema,
    handle: ({ services, params }) => services.quarantine.recover(params.id),
  }),
  emptyRoute({
    method: "POST",
    path: "/api/quarantine/:id/stop",
    summary: "End the agent of an execution that the database does not know; its log is kept",
    params,
    handle: ({ services, params }) => services.quarantine.stop(params.id),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/quarantine/:id",
    summary: "Delete the files of a quarantined execution for good",
    params,
    handle: ({ services, params }) => services.quarantine.remove(params.id),
  }),
];
