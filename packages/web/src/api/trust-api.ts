import type { AgentSettings, ProjectId, ProjectScripts } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

type Kind = "scripts" | "agent-settings";

/** What a repository brings along that would run. The hash is of what was shown: what changed meanwhile is not trusted by it. */
export const trustApi = {
  trust: (id: ProjectId, kind: Kind, hash: string) =>
    request<unknown>(`/api/projects/${id}/${kind}/trust`, { method: "POST", body: { hash } }),
  revoke: (id: ProjectId, kind: Kind) => request<void>(`/api/projects/${id}/${kind}/trust`, { method: "DELETE" }),
};

export const projectScriptsQuery = (id: ProjectId) =>
  queryOptions({
    queryKey: ["project-scripts", id],
    queryFn: ({ signal }) => request<ProjectScripts>(`/api/projects/${id}/scripts`, { signal }),
    refetchOnMount: "always",
  });

export const agentSettingsQuery = (id: ProjectId) =>
  queryOptions({
    queryKey: ["agent-settings", id],
    queryFn: ({ signal }) => request<AgentSettings>(`/api/projects/${id}/agent-settings`, { signal }),
    refetchOnMount: "always",
  });
