import type {
  AgentId,
  AttemptId,
  ExecutionId,
  ProjectId,
  ProviderName,
  Settings,
  StorageUse,
  UpdateAttemptDefaults,
  UpdateGeneralSettings,
} from "@skein/contracts";
import { type QueryClient, queryOptions, skipToken } from "@tanstack/react-query";
import { request } from "./request.ts";

const q = encodeURIComponent;

/** Loaded again at each search: an old answer lacks messages that came since. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", text],
    queryFn: ({ signal }) => request(`/api/search?q=${q(text)}&limit=40`, { answer: "searchResult", signal }),
    staleTime: 2000,
    gcTime: 30_000,
  });

export const fileMatchesQuery = (projectId: ProjectId | undefined, text: string) =>
  queryOptions({
    queryKey: ["file-matches", projectId, text],
    queryFn:
      projectId === undefined || text.length < 2
        ? skipToken
        : ({ signal }) => request(`/api/projects/${projectId}/file-matches?q=${q(text)}&limit=12`, { answer: "fileMatches", signal }),
    staleTime: 5000,
    gcTime: 30_000,
    retry: false,
  });

/** Starts the agent's program: loaded only when the user wants to see it. */
export const agentSessionsQuery = (projectId: ProjectId, agent: AgentId) =>
  queryOptions({
    queryKey: ["agent-sessions", projectId, agent],
    queryFn: ({ signal }) => request(`/api/projects/${projectId}/agent-sessions?agent=${q(agent)}`, { answer: "agentSessions", signal }),
    staleTime: 10_000,
    retry: false,
  });

/** Branches change without an event: they are loaded whenever they are shown. */
export const branchesQuery = (projectId: ProjectId) =>
  queryOptions({
    queryKey: ["branches", projectId],
    queryFn: ({ signal }) => request(`/api/projects/${projectId}/branches`, { answer: "branches", signal }),
    staleTime: 10_000,
  });

export const foldersQuery = (typed: string) =>
  queryOptions({
    queryKey: ["folders", typed],
    queryFn: ({ signal }) => request(`/api/folders?path=${q(typed)}`, { answer: "folders", signal }),
    staleTime: 5000,
    gcTime: 30_000,
  });

export const repositoriesQuery = queryOptions({
  queryKey: ["repositories"],
  queryFn: ({ signal }) => request("/api/repositories?limit=12", { answer: "folders", signal }),
  staleTime: 30_000,
});

/** Loaded again when an execution of the attempt ends. */
export const diffStatQuery = (attemptId: AttemptId | null) =>
  queryOptions({
    queryKey: ["diff-stat", attemptId],
    queryFn:
      attemptId === null ? skipToken : ({ signal }) => request(`/api/attempts/${attemptId}/diff-stat`, { answer: "diffStat", signal }),
    // A deleted worktree has no changes; the task's page explains it.
    retry: false,
  });

export const settingsApi = {
  checkAgents: () => request("/api/agents?refresh=true", { answer: "agents" }),
  setProviderKey: (name: ProviderName, apiKey: string) =>
    request(`/api/settings/providers/${name}`, { answer: "providerKey", method: "PUT", body: { apiKey } }),
  removeProviderKey: (name: ProviderName) => request(`/api/settings/providers/${name}`, { method: "DELETE" }),
  setGeneral: (body: UpdateGeneralSettings) => request("/api/settings/general", { answer: "generalSettings", method: "PATCH", body }),
  setDefaults: (body: UpdateAttemptDefaults) => request("/api/settings/defaults", { answer: "attemptDefaults", method: "PATCH", body }),
};

/** No events report changes of these: they are loaded whenever they are shown. */
export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => request("/api/settings", { answer: "settings", signal }),
  refetchOnMount: "always",
});

/** Stores what was saved in the cache. An answer that is on its way may be older: the settings are then loaded again. */
export function putSettings(client: QueryClient, change: (known: Settings) => Settings): void {
  client.setQueryData(settingsQuery.queryKey, (known) => known && change(known));
  if (client.isFetching({ queryKey: settingsQuery.queryKey }) > 0) void client.invalidateQueries({ queryKey: settingsQuery.queryKey });
}

export const toolProcessorsQuery = queryOptions({
  queryKey: ["tool-processors"],
  queryFn: ({ signal }) => request("/api/tool-processors", { answer: "toolProcessors", signal }),
  refetchOnMount: "always",
});

/** Whether deleted data is still being removed. */
export function isDeleting({ deleting }: StorageUse): boolean {
  return deleting.messages > 0 || deleting.worktrees > 0;
}

export const storageQuery = queryOptions({
  queryKey: ["storage"],
  queryFn: ({ signal }) => request("/api/storage", { answer: "storageUse", signal }),
  staleTime: 30_000,
  refetchInterval: ({ state: { data } }) => (data !== undefined && isDeleting(data) ? 5000 : false),
});

export const quarantineQuery = queryOptions({
  queryKey: ["quarantine"],
  queryFn: ({ signal }) => request("/api/quarantine", { answer: "quarantine", signal }),
  refetchOnMount: "always",
});

export const quarantineApi = {
  recover: (id: ExecutionId) => request(`/api/quarantine/${id}/recover`, { answer: "recoveredExecution", method: "POST" }),
  stop: (id: ExecutionId) => request(`/api/quarantine/${id}/stop`, { method: "POST" }),
  remove: (id: ExecutionId) => request(`/api/quarantine/${id}`, { method: "DELETE" }),
};

export interface UsagePeriod {
  from: number;
  to: number;
  projectId: ProjectId | null;
}

export const usageQuery = ({ from, to, projectId }: UsagePeriod) => {
  const search = new URLSearchParams({ from: String(from), to: String(to), utcOffsetMinutes: String(-new Date(to).getTimezoneOffset()) });
  if (projectId) search.set("projectId", projectId);
  return queryOptions({
    queryKey: ["usage", from, to, projectId],
    queryFn: ({ signal }) => request(`/api/usage?${search}`, { answer: "usage", signal }),
    refetchOnMount: "always",
  });
};
