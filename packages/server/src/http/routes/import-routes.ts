import {
  attemptExportSchema,
  importFileQuerySchema,
  importRunSchema,
  importRunsSchema,
  importSourcesSchema,
  startImportSchema,
} from "@skein/contracts";
import { jsonRoute, type Route } from "../route.ts";

export const importRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/import/sources",
    summary: "List the sessions of other programs on this machine, and what of them has been imported. Reads only",
    access: "admin",
    response: importSourcesSchema,
    handle: ({ services }) => services.imports.sources(),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/import",
    summary: "Start an import of sessions of one program. Imports run one after another; a session that has not changed is not read again",
    access: "admin",
    body: startImportSchema,
    status: 201,
    response: importRunSchema,
    handle: async ({ services, body }) => services.imports.start(body),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/import/file",
    summary:
      "Import an attempt that was exported as JSON, as a new task of a project. The whole file is checked first; one that was imported before is not imported again",
    access: "admin",
    query: importFileQuerySchema,
    upload: attemptExportSchema,
    status: 201,
    response: importRunSchema,
    handle: ({ services, query, upload }) => services.imports.startFile({ projectId: query.projectId, content: upload }),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/import/runs",
    summary: "Progress and results of the imports since the server was started, newest first",
    access: "admin",
    response: importRunsSchema,
    handle: async ({ services }) => services.imports.runs(),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/import/stop",
    summary: "Stop all imports. What was imported stays, and the next import continues there",
    access: "admin",
    response: importRunsSchema,
    handle: async ({ services }) => services.imports.stop(),
  }),
];
