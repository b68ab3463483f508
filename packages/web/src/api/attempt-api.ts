import type {
  ActiveCompression,
  Approval,
  AttemptDiff,
  AttemptId,
  ExecutionId,
  FileContent,
  FileMatches,
  FolderListing,
  FoundMessages,
  HistoryEntry,
  HistoryPage,
  MessageId,
  NextRequest,
  ProjectId,
  QueuedMessage,
  QueuedMessageId,
  RequestProvider,
  SlashCommand,
} from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";
import { withRetry } from "./retry.ts";
import { sendRequest } from "./send-request.ts";

type Signal = AbortSignal | undefined;
export type FilePlace = { attemptId: AttemptId } | { projectId: ProjectId };

const pathOf = (place: FilePlace): string =>
  "attemptId" in place ? `/api/attempts/${place.attemptId}` : `/api/projects/${place.projectId}`;
const q = encodeURIComponent;

/** What only the page of a task asks for. */
export const attemptApi = {
  find: (id: AttemptId, text: string, signal?: Signal) => request<FoundMessages>(`/api/attempts/${id}/find?q=${q(text)}`, { signal }),
  getCompression: (id: AttemptId, signal?: Signal) => request<ActiveCompression>(`/api/attempts/${id}/compression`, { signal }),
  listFolder: (id: AttemptId, path: string, signal?: Signal) =>
    request<FolderListing>(`/api/attempts/${id}/folder?path=${q(path)}`, { signal }),
  readFile: (id: AttemptId, path: string, signal?: Signal) => request<FileContent>(`/api/attempts/${id}/file?path=${q(path)}`, { signal }),
  readBlob: (id: AttemptId, path: string, blob: string, signal?: Signal) =>
    request<FileContent>(`/api/attempts/${id}/file?path=${q(path)}&blob=${blob}`, { signal }),
  listApprovals: (id: AttemptId, signal?: Signal) => request<Approval[]>(`/api/approvals?attemptId=${id}`, { signal }),
  matchFiles: (place: FilePlace, text: string, signal?: Signal) =>
    request<FileMatches>(`${pathOf(place)}/file-matches?q=${q(text)}&limit=12`, { signal }),
  listCommands: (place: FilePlace, signal?: Signal) => request<SlashCommand[]>(`${pathOf(place)}/commands`, { signal }),
  moveQueued: (id: QueuedMessageId, before: QueuedMessageId | null) =>
    withRetry(() => request<QueuedMessage[]>(`/api/queue/${id}/move`, { method: "POST", body: { before } })),
  discardQueue: (id: AttemptId) => withRetry(() => request<void>(`/api/attempts/${id}/queue`, { method: "DELETE" })),
  getHistory: (id: AttemptId, { offset, limit }: { offset: number; limit: number }, signal?: Signal) =>
    request<HistoryPage>(`/api/attempts/${id}/history?offset=${offset}&limit=${limit}`, { signal }),
  getHistoryMessage: (id: AttemptId, messageId: MessageId, signal?: Signal) =>
    request<HistoryEntry>(`/api/attempts/${id}/history/message?messageId=${q(messageId)}`, { signal }),
  getNextRequest: (id: AttemptId, provider: RequestProvider | null, signal?: Signal) =>
    request<NextRequest>(`/api/attempts/${id}/request${provider === null ? "" : `?provider=${provider}`}`, { signal }),
  getExecutionDiff: (id: ExecutionId, signal?: Signal) => request<AttemptDiff>(`/api/executions/${id}/diff`, { signal }),

  async exportMarkdown(id: AttemptId): Promise<string> {
    return (await sendRequest(`/api/attempts/${id}/export?format=markdown`)).text();
  },
};

/** Files change without an event: what is shown is asked for again whenever it is opened, and at the end of an execution. */
export const folderQuery = (id: AttemptId, path: string) =>
  queryOptions({
    queryKey: ["worktree", id, "folder", path],
    queryFn: ({ signal }) => attemptApi.listFolder(id, path, signal),
    refetchOnMount: "always",
  });

export const fileQuery = (id: AttemptId, path: string) =>
  queryOptions({
    queryKey: ["worktree", id, "file", path],
    queryFn: ({ signal }) => attemptApi.readFile(id, path, signal),
    refetchOnMount: "always",
  });

/** A side of a diff: its content does not change. Kept for a short time only, because images are large. */
export const blobQuery = (id: AttemptId, path: string, blob: string) =>
  queryOptions({
    queryKey: ["worktree-blob", id, path, blob],
    queryFn: ({ signal }) => attemptApi.readBlob(id, path, blob, signal),
    gcTime: 30_000,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const compressionQuery = (id: AttemptId, newestSummary: string) =>
  queryOptions({ queryKey: ["compression", id, newestSummary], queryFn: ({ signal }) => attemptApi.getCompression(id, signal) });
