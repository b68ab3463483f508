import {
  attemptIdSchema,
  blobIdSchema,
  fileContentSchema,
  fileMatchesSchema,
  folderListingSchema,
  projectIdSchema,
  slashCommandSchema,
  worktreePathSchema,
} from "@skein/contracts";
import { z } from "zod";
import { jsonRoute, type Route } from "../route.ts";

const ofAttempt = z.object({ id: attemptIdSchema });
const ofProject = z.object({ id: projectIdSchema });
const typed = z.object({ q: z.string().max(500).default(""), limit: z.coerce.number().int().min(1).max(100).default(20) });

/** The folder of an attempt, and what a message can refer to in it. */
export const fileRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/folder",
    access: { project: "viewer" },
    summary: "List one folder in the attempt's directory",
    params: ofAttempt,
    query: z.object({ path: worktreePathSchema.default(".") }),
    response: folderListingSchema,
    handle: ({ services, params, query }) => services.files.folder(params.id, query.path),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/file",
    access: { project: "viewer" },
    summary:
      "Read one file in the attempt's directory, now or at a version that a diff names: a text, an image, or the size of any other file",
    params: ofAttempt,
    query: z.object({ path: worktreePathSchema.min(1), blob: blobIdSchema.optional() }),
    response: fileContentSchema,
    handle: ({ services, params, query }) => services.files.file(params.id, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/file-matches",
    access: { project: "viewer" },
    summary: "Search paths of the attempt's directory, best match first",
    params: ofAttempt,
    query: typed,
    response: fileMatchesSchema,
    handle: async ({ services, params, query }) => ({
      paths: await services.files.match({ attemptId: params.id }, { text: query.q, limit: query.limit }),
    }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/file-matches",
    access: { project: "viewer" },
    summary: "Search paths of the project, best match first",
    params: ofProject,
    query: typed,
    response: fileMatchesSchema,
    handle: async ({ services, params, query }) => ({
      paths: await services.files.match({ projectId: params.id }, { text: query.q, limit: query.limit }),
    }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/commands",
    access: { project: "viewer" },
    summary: "List the slash commands available in this attempt",
    params: ofAttempt,
    response: z.array(slashCommandSchema),
    handle: ({ services, params }) => services.files.commands({ attemptId: params.id }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/commands",
    access: { project: "viewer" },
    summary: "List the slash commands available in this project",
    params: ofProject,
    response: z.array(slashCommandSchema),
    handle: ({ services, params }) => services.files.commands({ projectId: params.id }),
  }),
];
