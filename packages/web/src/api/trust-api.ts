import type { AttemptId, ProjectId } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";
import { toPlaceQuery } from "./to-place-query.ts";

export type TrustKind = "scripts" | "agent-settings" | "hooks" | "git-lfs";

/** Parts of a repository that run programs. The hash is that of the shown content: anything that has changed since is not trusted. */
export const trustApi = {
  trust: (id: ProjectId, kind: TrustKind, body: { hash: string; attemptId?: AttemptId }) =>
    request(`/api/projects/${id}/${kind}/trust`, { method: "POST", body }),
  revoke: (id: ProjectId, kind: TrustKind) => request(`/api/projects/${id}/${kind}/trust`, { method: "DELETE" }),
};

export const projectScriptsQuery = (id: ProjectId, attemptId?: AttemptId) =>
  queryOptions({
    queryKey: ["project-scripts", id, attemptId ?? null],
    queryFn: ({ signal }) => request(`/api/projects/${id}/scripts${toPlaceQuery(attemptId)}`, { answer: "projectScripts", signal }),
    refetchOnMount: "always",
  });

export const agentSettingsQuery = (id: ProjectId, attemptId?: AttemptId) =>
  queryOptions({
    queryKey: ["agent-settings", id, attemptId ?? null],
    queryFn: ({ signal }) => request(`/api/projects/${id}/agent-settings${toPlaceQuery(attemptId)}`, { answer: "agentSettings", signal }),
    refetchOnMount: "always",
  });

export const gitHooksQuery = (id: ProjectId, attemptId?: AttemptId) =>
  queryOptions({
    queryKey: ["git-hooks", id, attemptId ?? null],
    queryFn: ({ signal }) => request(`/api/projects/${id}/hooks${toPlaceQuery(attemptId)}`, { answer: "gitHooks", signal }),
    refetchOnMount: "always",
  });

export const gitLfsQuery = (id: ProjectId) =>
  queryOptions({
    queryKey: ["git-lfs", id],
    queryFn: ({ signal }) => request(`/api/projects/${id}/git-lfs`, { answer: "gitLfs", signal }),
    refetchOnMount: "always",
  });

export const trustChangesQuery = (id: ProjectId) =>
  queryOptions({
    queryKey: ["trust-changes", id],
    queryFn: ({ signal }) => request(`/api/projects/${id}/trust-changes`, { answer: "trustChanges", signal }),
    refetchOnMount: "always",
  });
