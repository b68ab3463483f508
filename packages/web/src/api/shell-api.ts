import type {
  AgentId,
  AgentList,
  AgentSessionList,
  AttemptDefaults,
  AttemptId,
  BranchList,
  DiffStat,
  ExecutionId,
  FileMatches,
  FolderMatches,
  GeneralSettings,
  ProjectId,
  ProviderKey,
  ProviderName,
  QuarantineList,
  RecoveredExecution,
  SearchHit,
  Settings,
  StorageUse,
  ToolProcessorList,
  UpdateAttemptDefaults,
  UpdateGeneralSettings,
  UsageReport,
} from "@skein/contracts";
import { type QueryClient, queryOptions, skipToken } from "@tanstack/react-query";
import { request } from "./request.ts";

const q = encodeURIComponent;

/** A search is asked for again each time: what was said since is not in an old answer. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", text],
    queryFn: ({ signal }) => request<{ hits: SearchHit[] }>(`/api/search?q=${q(text)}&limit=40`, { signal }),
    staleTime: 2000,
    gcTime: 30_000,
  });

export const fileMatchesQuery = (projectId: ProjectId | undefined, text: string) =>
  queryOptions({
    queryKey: ["file-matches", projectId, text],
    queryFn:
      projectId === undefined || text.length < 2
        ? skipToken
        : ({ signal }) => request<FileMatches>(`/api/projects/${projectId}/file-matches?q=${q(text)}&limit=12`, { signal }),
    staleTime: 5000,
    gcTime: 30_000,
    retry: false,
  });

/** Starts the agent's program: asked for only when the user wants to see it. */
export const agentSessionsQuery = (projectId: ProjectId, agent: AgentId) =>
  queryOptions({
    queryKey: ["agent-sessions", projectId, agent],
    queryFn: ({ signal }) => request<AgentSessionList>(`/api/projects/${projectId}/agent-sessions?agent=${q(agent)}`, { signal }),
    staleTime: 10_000,
    retry: false,
  });

/** Branches change without an event: they are asked for again whenever they are shown. */
export const branchesQuery = (projectId: ProjectId) =>
  queryOptions({
    queryKey: ["branches", projectId],
    queryFn: ({ signal }) => request<BranchList>(`/api/projects/${projectId}/branches`, { signal }),
    staleTime: 10_000,
  });

export const foldersQuery = (typed: string) =>
  queryOptions({
    queryKey: ["folders", typed],
    queryFn: ({ signal }) => request<FolderMatches>(`/api/folders?path=${q(typed)}`, { signal }),
    staleTime: 5000,
    gcTime: 30_000,
  });

export const repositoriesQuery = queryOptions({
  queryKey: ["repositories"],
  queryFn: ({ signal }) => request<FolderMatches>("/api/repositories?limit=12", { signal }),
  staleTime: 30_000,
});

/** Asked for again when an execution of the attempt has ended. */
export const diffStatQuery = (attemptId: AttemptId | null) =>
  queryOptions({
    queryKey: ["diff-stat", attemptId],
    queryFn: attemptId === null ? skipToken : ({ signal }) => request<DiffStat>(`/api/attempts/${attemptId}/diff-stat`, { signal }),
    // A worktree that is gone has no changes to tell of; the task's page says why.
    retry: false,
  });

export const settingsApi = {
  checkAgents: () => request<AgentList>("/api/agents?refresh=true"),
  setProviderKey: (name: ProviderName, apiKey: string) =>
    request<ProviderKey>(`/api/settings/providers/${name}`, { method: "PUT", body: { apiKey } }),
  removeProviderKey: (name: ProviderName) => request<void>(`/api/settings/providers/${name}`, { method: "DELETE" }),
  setGeneral: (body: UpdateGeneralSettings) => request<GeneralSettings>("/api/settings/general", { method: "PATCH", body }),
  setDefaults: (body: UpdateAttemptDefaults) => request<AttemptDefaults>("/api/settings/defaults", { method: "PATCH", body }),
};

/** No event tells of these: they are asked for again whenever they are shown. */
export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => request<Settings>("/api/settings", { signal }),
  refetchOnMount: "always",
});

/** Puts what was saved in place. An answer that is on its way may be older: the settings are then asked for again. */
export function putSettings(client: QueryClient, change: (known: Settings) => Settings): void {
  client.setQueryData(settingsQuery.queryKey, (known) => known && change(known));
  if (client.isFetching({ queryKey: settingsQuery.queryKey }) > 0) void client.invalidateQueries({ queryKey: settingsQuery.queryKey });
}

export const toolProcessorsQuery = queryOptions({
  queryKey: ["tool-processors"],
  queryFn: ({ signal }) => request<ToolProcessorList>("/api/tool-processors", { signal }),
  refetchOnMount: "always",
});

/** Whether something that was deleted is still being removed. */
export function isDeleting({ deleting }: StorageUse): boolean {
  return deleting.messages > 0 || deleting.worktrees > 0;
}

export const storageQuery = queryOptions({
  queryKey: ["storage"],
  queryFn: ({ signal }) => request<StorageUse>("/api/storage", { signal }),
  staleTime: 30_000,
  refetchInterval: ({ state: { data } }) => (data !== undefined && isDeleting(data) ? 5000 : false),
});

export const quarantineQuery = queryOptions({
  queryKey: ["quarantine"],
  queryFn: ({ signal }) => request<QuarantineList>("/api/quarantine", { signal }),
  refetchOnMount: "always",
});

export const quarantineApi = {
  recover: (id: ExecutionId) => request<RecoveredExecution>(`/api/quarantine/${id}/recover`, { method: "POST" }),
  stop: (id: ExecutionId) => request<void>(`/api/quarantine/${id}/stop`, { method: "POST" }),
  remove: (id: ExecutionId) => request<void>(`/api/quarantine/${id}`, { method: "DELETE" }),
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
    queryFn: ({ signal }) => request<UsageReport>(`/api/usage?${search}`, { signal }),
    refetchOnMount: "always",
  });
};
