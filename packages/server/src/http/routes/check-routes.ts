import { attemptCheckSchema, attemptIdSchema } from "@skein/contracts";
import { z } from "zod";
import { jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: attemptIdSchema });
const path = "/api/attempts/:id/check";
const response = attemptCheckSchema;

/** The project's check script, run in the folder of an attempt. */
export const checkRoutes: readonly Route[] = [
  jsonRoute({
    ...{ method: "GET", path, params, response },
    access: { project: "viewer" },
    summary: "Get the last run of the check script for an attempt, and whether files have changed since",
    handle: ({ services, params }) => services.checks.find(params.id),
  }),
  jsonRoute({
    ...{ method: "POST", path, params, response },
    access: { project: "member" },
    summary: "Run the project's check script in the folder of an attempt",
    handle: ({ services, params }) => services.checks.request(params.id),
  }),
  jsonRoute({
    ...{ method: "POST", path: `${path}/stop`, params, response },
    access: { project: "member" },
    summary: "Stop the check of an attempt",
    handle: ({ services, params }) => services.checks.stop(params.id),
  }),
];
