import type { AttemptId, ExecutionId, MessageId, ProjectId, QueuedMessageId, RequestProvider } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";
import { withRetry } from "./retry.ts";
import { sendRequest } from "./send-request.ts";

type Signal = AbortSignal | undefined;
export type FilePlace = { attemptId: AttemptId } | { projectId: ProjectId };

const pathOf = (place: FilePlace): string =>
  "attemptId" in place ? `/api/attempts/${place.attemptId}` : `/api/projects/${place.projectId}`;
const q = encodeURIComponent;

/** The routes that only the page of a task uses. */
export const attemptApi = {
  find: (id: AttemptId, text: string, signal?: Signal) =>
    request(`/api/attempts/${id}/find?q=${q(text)}`, { answer: "foundMessages", signal }),
  getCompression: (id: AttemptId, signal?: Signal) => request(`/api/attempts/${id}/compression`, { answer: "compression", signal }),
  listFolder: (id: AttemptId, path: string, signal?: Signal) =>
    request(`/api/attempts/${id}/folder?path=${q(path)}`, { answer: "folder", signal }),
  readFile: (id: AttemptId, path: string, signal?: Signal) =>
    request(`/api/attempts/${id}/file?path=${q(path)}`, { answer: "file", signal }),
  readBlob: (id: AttemptId, path: string, blob: string, signal?: Signal) =>
    request(`/api/attempts/${id}/file?path=${q(path)}&blob=${blob}`, { answer: "file", signal }),
  listApprovals: (id: AttemptId, signal?: Signal) => request(`/api/approvals?attemptId=${id}`, { answer: "approvals", signal }),
  matchFiles: (place: FilePlace, text: string, signal?: Signal) =>
    request(`${pathOf(place)}/file-matches?q=${q(text)}&limit=12`, { answer: "fileMatches", signal }),
  listCommands: (place: FilePlace, signal?: Signal) => request(`${pathOf(place)}/commands`, { answer: "slashCommands", signal }),
  moveQueued: (id: QueuedMessageId, before: QueuedMessageId | null) =>
    withRetry(() => request(`/api/queue/${id}/move`, { answer: "queue", method: "POST", body: { before } })),
  discardQueue: (id: AttemptId) => withRetry(() => request(`/api/attempts/${id}/queue`, { method: "DELETE" })),
  getHistory: (id: AttemptId, { offset, limit }: { offset: number; limit: number }, signal?: Signal) =>
    request(`/api/attempts/${id}/history?offset=${offset}&limit=${limit}`, { answer: "history", signal }),
  getHistoryMessage: (id: AttemptId, messageId: MessageId, signal?: Signal) =>
    request(`/api/attempts/${id}/history/message?messageId=${q(messageId)}`, { answer: "historyMessage", signal }),
  getNextRequest: (id: AttemptId, provider: RequestProvider | null, signal?: Signal) =>
    request(`/api/attempts/${id}/request${provider === null ? "" : `?provider=${provider}`}`, { answer: "nextRequest", signal }),
  getExecutionDiff: (id: ExecutionId, signal?: Signal) => request(`/api/executions/${id}/diff`, { answer: "diff", signal }),

  async exportMarkdown(id: AttemptId): Promise<string> {
    return (await sendRequest(`/api/attempts/${id}/export?format=markdown`)).text();
  },
};

/** Files change without an event: they are loaded whenever they are opened, and when an execution ends. */
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
