import {
  attemptDefaultsSchema,
  generalSettingsSchema,
  projectIdSchema,
  providerKeySchema,
  providerNameSchema,
  setProviderKeySchema,
  settingsSchema,
  storageUseSchema,
  timestampSchema,
  toolProcessorListSchema,
  updateAttemptDefaultsSchema,
  updateGeneralSettingsSchema,
  usageReportSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ name: providerNameSchema });

export const settingsRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/settings",
    summary: "Which provider keys are set, what a new attempt starts with, and general settings; keys are never returned",
    response: settingsSchema,
    handle: ({ services }) => services.settings.get(),
  }),
  jsonRoute({
    method: "PUT",
    path: "/api/settings/providers/:name",
    summary: "Set the key of a provider; it is used from the next message on",
    params,
    body: setProviderKeySchema,
    response: providerKeySchema,
    handle: ({ services, params, body }) => services.settings.setProviderKey(params.name, body.apiKey),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/settings/providers/:name",
    summary: "Remove the key of a provider",
    params,
    handle: ({ services, params }) => services.settings.removeProviderKey(params.name),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/settings/defaults",
    summary: "Change what a new attempt starts with",
    body: updateAttemptDefaultsSchema,
    response: attemptDefaultsSchema,
    handle: ({ services, body }) => services.settings.setDefaults(body),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/settings/general",
    summary: "Change settings that apply to every project",
    body: updateGeneralSettingsSchema,
    response: generalSettingsSchema,
    handle: ({ services, body }) => services.settings.setGeneral(body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/tool-processors",
    summary: "The user's own tool processors: what each file claims, and what is wrong with it",
    response: toolProcessorListSchema,
    handle: ({ services }) => services.toolProcessors(),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/storage",
    summary: "What the data dir holds, in bytes, measured now",
    response: storageUseSchema,
    handle: ({ services }) => services.storageUse(),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/usage",
    summary: "Tokens and costs by day and agent, and of the attempts that cost most",
    query: z.object({
      from: z.coerce.number().pipe(timestampSchema),
      to: z.coerce.number().pipe(timestampSchema),
      /** Days begin at midnight of a clock that is so far ahead of UTC. */
      utcOffsetMinutes: z.coerce.number().pipe(z.int().min(-840).max(840)).default(0),
      projectId: projectIdSchema.exactOptional(),
    }),
    response: usageReportSchema,
    handle: ({ services, query }) => services.usage(query),
  }),
];
