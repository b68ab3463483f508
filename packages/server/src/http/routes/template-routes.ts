import { createTemplateSchema, templateIdSchema, templateSchema, updateTemplateSchema } from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: templateIdSchema });

export const templateRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/templates",
    access: "signed-in",
    summary: "List the templates of tasks by name",
    response: z.array(templateSchema),
    handle: ({ services }) => services.templates.list({}),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/templates",
    access: { project: "member" },
    summary: "Create a template. Its prompt and title may have variables: `{{name}}`",
    body: createTemplateSchema,
    status: 201,
    response: templateSchema,
    handle: ({ services, body }) => services.templates.create(body),
  }),
  jsonRoute({
    method: "GET",
    path: "/api/templates/:id",
    access: { project: "viewer" },
    summary: "Get a template",
    params,
    response: templateSchema,
    handle: ({ services, params }) => services.templates.get(params.id),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/templates/:id",
    access: { project: "member" },
    summary: "Change a template",
    params,
    body: updateTemplateSchema,
    response: templateSchema,
    handle: ({ services, params, body }) => services.templates.update(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/templates/:id",
    access: { project: "member" },
    summary: "Delete a template. Tasks that were started from it stay",
    params,
    handle: ({ services, params }) => services.templates.remove(params.id),
  }),
];
