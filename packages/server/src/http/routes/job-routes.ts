import { jobIdSchema, jobListSchema } from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

export const jobRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/jobs",
    summary: "List the newest jobs that the server does by itself, and their schedules with the runs that were missed",
    access: "admin",
    response: jobListSchema,
    handle: ({ services }) => services.jobs.list(),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/jobs/:id",
    summary: "Cancel a job that is waiting or running",
    access: "admin",
    params: z.object({ id: jobIdSchema }),
    handle: ({ services, params }) => services.jobs.cancel(params.id),
  }),
];
