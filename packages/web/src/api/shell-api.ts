import type { FileMatches, ProjectId, SearchHit } from "@skein/contracts";
import { queryOptions, skipToken } from "@tanstack/react-query";
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
