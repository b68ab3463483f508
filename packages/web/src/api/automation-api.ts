import type {
  CreateIncomingHook,
  CreateSchedule,
  CreateTemplate,
  IncomingHookId,
  ScheduleId,
  TemplateId,
  UpdateIncomingHook,
  UpdateSchedule,
  UpdateTemplate,
} from "@skein/contracts";
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

/** What starts by itself at its times. */
export const scheduleApi = {
  create: (input: CreateSchedule) => request("/api/schedules", { answer: "schedule", method: "POST", body: input }),
  update: (id: ScheduleId, changes: UpdateSchedule) =>
    request(`/api/schedules/${id}`, { answer: "schedule", method: "PATCH", body: changes }),
  remove: (id: ScheduleId) => request(`/api/schedules/${id}`, { method: "DELETE" }),
  runNow: (id: ScheduleId) => request(`/api/schedules/${id}/run`, { method: "POST" }),
};

export const schedulesQuery = queryOptions({
  queryKey: ["schedules"],
  queryFn: ({ signal }) => request("/api/schedules", { answer: "schedules", signal }),
  refetchOnMount: "always",
});

export const scheduleRunsQuery = (id: ScheduleId) =>
  queryOptions({
    queryKey: ["schedules", id, "runs"],
    queryFn: ({ signal }) => request(`/api/schedules/${id}/runs`, { answer: "automationRuns", signal }),
    refetchOnMount: "always",
  });

/** A wrong expression is not tried again. */
export const scheduleTimesQuery = (cron: string, timeZone: string) =>
  queryOptions({
    queryKey: ["schedule-times", cron, timeZone],
    queryFn: ({ signal }) => request(`/api/schedule-times?${new URLSearchParams({ cron, timeZone })}`, { answer: "scheduleTimes", signal }),
    staleTime: 30_000,
    retry: false,
  });

/** What other programs start. */
export const hookApi = {
  create: (input: CreateIncomingHook) => request("/api/incoming-hooks", { answer: "issuedHook", method: "POST", body: input }),
  update: (id: IncomingHookId, changes: UpdateIncomingHook) =>
    request(`/api/incoming-hooks/${id}`, { answer: "incomingHook", method: "PATCH", body: changes }),
  rotate: (id: IncomingHookId) => request(`/api/incoming-hooks/${id}/rotate`, { answer: "issuedHook", method: "POST" }),
  remove: (id: IncomingHookId) => request(`/api/incoming-hooks/${id}`, { method: "DELETE" }),
};

export const hooksQuery = queryOptions({
  queryKey: ["incoming-hooks"],
  queryFn: ({ signal }) => request("/api/incoming-hooks", { answer: "incomingHooks", signal }),
  refetchOnMount: "always",
});

export const hookRunsQuery = (id: IncomingHookId) =>
  queryOptions({
    queryKey: ["incoming-hooks", id, "runs"],
    queryFn: ({ signal }) => request(`/api/incoming-hooks/${id}/runs`, { answer: "automationRuns", signal }),
    refetchOnMount: "always",
  });
