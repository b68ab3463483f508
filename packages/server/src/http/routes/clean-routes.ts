import { attemptUseSchema, cleanPlanSchema, cleanRunSchema, lastCleanSchema, startCleanSchema } from "@skein/contracts";
import { z } from "zod";
import { jsonRoute, type Route } from "../route.ts";

export const cleanRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/storage/attempts",
    access: "admin",
    summary: "Measure what attempts have on disk, on this machine and on connected workers, in bytes, largest first",
    response: attemptUseSchema,
    handle: ({ services }) => services.clean.measure(),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/clean",
    access: "admin",
    summary: "Plan a clean-up: what can be removed without losing work, and what is kept and why. Removes nothing",
    query: z.object({
      /** Leaves out what was used later than that. */
      olderThanDays: z.coerce.number().pipe(z.int().min(0).max(3650)).default(7),
    }),
    response: cleanPlanSchema,
    handle: ({ services, query }) => services.clean.plan(query),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/clean",
    access: "admin",
    summary: "Remove items of a plan, in the background. Each is checked again right before it is removed",
    body: startCleanSchema,
    response: cleanRunSchema,
    handle: async ({ services, body }) => services.clean.start(body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/clean/run",
    access: "admin",
    summary: "Get the clean-up in progress, or the last one since the server was started",
    response: lastCleanSchema,
    handle: async ({ services }) => ({ run: services.clean.last() }),
  }),
];
