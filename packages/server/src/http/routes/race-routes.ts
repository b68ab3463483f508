import { createId, raceTaskSchema, startedRaceSchema, startRaceSchema, taskIdSchema } from "@skein/contracts";
import { z } from "zod";
import { jsonRoute, type Route } from "../route.ts";

const common = {
  method: "POST",
  access: { project: "member" },
  agents: true,
  bodyLimit: "commandBodyBytes",
  status: 201,
  response: startedRaceSchema,
} as const;

/** One message for several attempts at once (L4). */
export const raceRoutes: readonly Route[] = [
  jsonRoute({
    ...common,
    path: "/api/races",
    summary:
      "Create a task, or use an existing one, with several attempts, and send the first message to all of them, atomically. Repeating a request with the same `id` returns the first result",
    body: startRaceSchema,
    handle: ({ services, body }) => services.startRace(body),
  }),
  jsonRoute({
    ...common,
    path: "/api/tasks/:id/race",
    summary:
      "Send one message to several new attempts of a task, atomically. Repeating a request with the same `id` returns the first result",
    params: z.object({ id: taskIdSchema }),
    body: raceTaskSchema,
    handle: ({ services, params, body: { id = `race ${createId("rac")}`, ...race } }) =>
      services.startRace({ ...race, id, task: { id: params.id } }),
  }),
];
