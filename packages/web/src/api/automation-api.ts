import type { CreateTemplate, TemplateId, UpdateTemplate } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

/** Templates of tasks. */
export const templateApi = {
  create: (input: CreateTemplate) => request("/api/templates", { answer: "template", method: "POST", body: input }),
  update: (id: TemplateId, changes: UpdateTemplate) =>
    request(`/api/templates/${id}`, { answer: "template", method: "PATCH", body: changes }),
  remove: (id: TemplateId) => request(`/api/templates/${id}`, { method: "DELETE" }),
};

/** Of all projects. No events report changes: loaded whenever they are shown. */
export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: ({ signal }) => request("/api/templates", { answer: "templates", signal }),
  refetchOnMount: "always",
});
