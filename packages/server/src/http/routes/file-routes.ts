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

/** The folder that an attempt works in, and what a message can name of it. */
export const fileRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/folder",
    summary: "List one folder of what the attempt works on",
    params: ofAttempt,
    query: z.object({ path: worktreePathSchema.default(".") }),
    response: folderListingSchema,
    handle: ({ services, params, query }) => services.files.folder(params.id, query.path),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/file",
    summary: "Read one file of what the attempt works on, now or as a diff names it: a text, an image, or the size of anything else",
    params: ofAttempt,
    query: z.object({ path: worktreePathSchema.min(1), blob: blobIdSchema.optional() }),
    response: fileContentSchema,
    handle: ({ services, params, query }) => services.files.file(params.id, query),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/file-matches",
    summary: "Paths that fit what was typed, the best first",
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
    summary: "Paths of the project that fit what was typed, the best first",
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
    summary: "The slash commands that a message of this attempt may begin with",
    params: ofAttempt,
    response: z.array(slashCommandSchema),
    handle: ({ services, params }) => services.files.commands({ attemptId: params.id }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/projects/:id/commands",
    summary: "The slash commands that a message in this project may begin with",
    params: ofProject,
    response: z.array(slashCommandSchema),
    handle: ({ services, params }) => services.files.commands({ projectId: params.id }),
  }),
];
