import {
  automationRunSchema,
  createScheduleSchema,
  cronSchema,
  scheduleIdSchema,
  scheduleSchema,
  scheduleTimesSchema,
  timeZoneSchema,
  updateScheduleSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: scheduleIdSchema });

export const scheduleRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/schedules",
    access: "signed-in",
    summary: "List the schedules by name, with their next and last runs, and the runs that were missed",
    response: z.array(scheduleSchema),
    handle: ({ services }) => services.schedules.list({}),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/schedule-times",
    access: "signed-in",
    summary: "The next times of a cron expression in a time zone",
    query: z.object({ cron: cronSchema, timeZone: timeZoneSchema }),
    response: scheduleTimesSchema,
    handle: async ({ services, query }) => ({ times: await services.schedules.times(query) }),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/schedules",
    access: { project: "member" },
    summary: "Create a schedule: at its times, a task is started or a message is sent",
    body: createScheduleSchema,
    status: 201,
    response: scheduleSchema,
    handle: ({ services, body }) => services.schedules.create(body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/schedules/:id",
    access: { project: "viewer" },
    summary: "Get a schedule",
    params,
    response: scheduleSchema,
    handle: ({ services, params }) => services.schedules.get(params.id),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/schedules/:id",
    access: { project: "member" },
    summary: "Change a schedule, or turn it on or off. With users, what it starts belongs to who saved it last",
    params,
    body: updateScheduleSchema,
    response: scheduleSchema,
    handle: ({ services, params, body }) => services.schedules.update(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/schedules/:id",
    access: { project: "member" },
    summary: "Delete a schedule and the list of its runs. Tasks that it started stay",
    params,
    handle: ({ services, params }) => services.schedules.remove(params.id),
  }),
  emptyRoute({
    method: "POST",
    path: "/api/schedules/:id/run",
    access: { project: "member" },
    summary: "Run a schedule now, also while it is off",
    params,
    handle: ({ services, params }) => services.schedules.runNow(params.id),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/schedules/:id/runs",
    access: { project: "viewer" },
    summary: "List the last runs of a schedule, newest first: what each started, or why it was skipped or failed",
    params,
    response: z.array(automationRunSchema),
    handle: ({ services, params }) => services.schedules.runs(params.id),
  }),
];
