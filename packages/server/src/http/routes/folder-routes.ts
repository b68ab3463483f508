import { folderMatchesSchema } from "@skein/contracts";
import { z } from "zod";
import { jsonRoute, type Route } from "../route.ts";

const limit = z.coerce.number().int().min(1).max(200).default(50);

export const folderRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/folders",
    access: "admin",
    summary: "Complete a folder path on this machine, repositories first",
    query: z.object({ path: z.string().max(4096), limit }),
    response: folderMatchesSchema,
    handle: ({ services, query }) => services.folders.match(query.path, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/repositories",
    access: "admin",
    summary: "List repositories near the home folder that are not projects yet, most recently used first",
    query: z.object({ limit }),
    response: folderMatchesSchema,
    handle: ({ services, query }) => services.folders.suggest(query),
  }),
];
