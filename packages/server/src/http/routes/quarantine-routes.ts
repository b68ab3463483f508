import { executionIdSchema, quarantineListSchema, recoveredExecutionSchema } from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: executionIdSchema });

export const quarantineRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/quarantine",
    access: "signed-in",
    summary: "List executions with logs in the data dir that are not in the database, oldest first",
    response: quarantineListSchema,
    handle: async ({ services }) => ({ entries: await services.quarantine.list() }),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/quarantine/:id/recover",
    access: "admin",
    summary: "Import a quarantined execution from its log. An agent that still runs is followed again",
    params,
    response: recoveredExecutionSchema,
    handle: ({ services, params }) => services.quarantine.recover(params.id),
  }),
  emptyRoute({
    method: "POST",
    path: "/api/quarantine/:id/stop",
    access: "admin",
    summary: "Stop the agent of an execution that is not in the database. Its log is kept",
    params,
    handle: ({ services, params }) => services.quarantine.stop(params.id),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/quarantine/:id",
    access: "admin",
    summary: "Permanently delete the files of a quarantined execution",
    params,
    handle: ({ services, params }) => services.quarantine.remove(params.id),
  }),
];
