import {
  attemptDefaultsSchema,
  forgeAccessSchema,
  forgeHostSchema,
  generalSettingsSchema,
  projectIdSchema,
  providerKeySchema,
  providerNameSchema,
  setForgeTokenSchema,
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
    summary: "Get which provider keys are set, the defaults of new attempts, and general settings. Keys are never returned",
    response: settingsSchema,
    handle: ({ services }) => services.settings.get(),
  }),
  jsonRoute({
    method: "PUT",
    path: "/api/settings/providers/:name",
    summary: "Set the API key of a provider, effective from the next message",
    params,
    body: setProviderKeySchema,
    response: providerKeySchema,
    handle: ({ services, params, body }) => services.settings.setProviderKey(params.name, body.apiKey),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/settings/providers/:name",
    summary: "Remove the API key of a provider",
    params,
    handle: ({ services, params }) => services.settings.removeProviderKey(params.name),
  }),
  jsonRoute({
    method: "PUT",
    path: "/api/settings/forges/:host",
    summary: "Set the kind of the forge on a host, and the token for it. The token is never returned",
    params: z.object({ host: forgeHostSchema }),
    body: setForgeTokenSchema,
    response: forgeAccessSchema,
    handle: ({ services, params, body }) => services.settings.setForgeToken(params.host, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/settings/forges/:host",
    summary: "Remove the token of a forge",
    params: z.object({ host: forgeHostSchema }),
    handle: ({ services, params }) => services.settings.removeForgeToken(params.host),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/settings/defaults",
    summary: "Change the defaults of new attempts",
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
    summary: "List the user's tool processors: the tools that each file handles, and its problems",
    response: toolProcessorListSchema,
    handle: ({ services }) => services.toolProcessors(),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/storage",
    summary: "Measure the data dir, in bytes",
    response: storageUseSchema,
    handle: ({ services }) => services.storageUse(),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/usage",
    summary: "Get tokens and costs by day and agent, and of the most expensive attempts",
    query: z.object({
      from: z.coerce.number().pipe(timestampSchema),
      to: z.coerce.number().pipe(timestampSchema),
      /** Offset of the user's time zone, for the boundaries of days. */
      utcOffsetMinutes: z.coerce.number().pipe(z.int().min(-840).max(840)).default(0),
      projectId: projectIdSchema.exactOptional(),
    }),
    response: usageReportSchema,
    handle: ({ services, query }) => services.usage(query),
  }),
];
