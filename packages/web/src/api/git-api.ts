import type {
  AttemptId,
  CommitRequest,
  LandRequest,
  ResolveConflict,
  RestoreRequest,
  SuggestCommitMessage,
  UpdateAttemptBase,
} from "@skein/contracts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

type Signal = AbortSignal | undefined;

const at = (id: AttemptId, part: string) => `/api/attempts/${id}/${part}`;

/** The routes of an attempt's branch. None is sent again by itself: most of them would do something twice. */
export const gitApi = {
  getState: (id: AttemptId, signal: Signal) => request(at(id, "git"), { answer: "gitState", signal }),
  listUncommitted: (id: AttemptId, signal: Signal) => request(at(id, "uncommitted"), { answer: "diff", signal }),
  commit: (id: AttemptId, body: CommitRequest) => request(at(id, "commit"), { answer: "committed", method: "POST", body }),
  findMessageModel: (id: AttemptId, signal: Signal) => request(at(id, "commit-message"), { answer: "commitMessageModel", signal }),
  suggestMessage: (id: AttemptId, body: SuggestCommitMessage) =>
    request(at(id, "commit-message"), { answer: "suggestedCommitMessage", method: "POST", body }),
  update: (id: AttemptId, body: UpdateAttemptBase) => request(at(id, "update"), { answer: "updatedAttemptBase", method: "POST", body }),
  readConflict: (id: AttemptId, path: string, signal: Signal) =>
    request(at(id, `conflict?path=${encodeURIComponent(path)}`), { answer: "conflictSides", signal }),
  resolve: (id: AttemptId, body: ResolveConflict) => request(at(id, "conflict"), { answer: "gitState", method: "POST", body }),
  land: (id: AttemptId, body: LandRequest) => request(at(id, "land"), { answer: "landing", method: "POST", body }),
  undoLanding: (id: AttemptId) => request(at(id, "undo-land"), { answer: "gitState", method: "POST" }),
  push: (id: AttemptId) => request(at(id, "push"), { answer: "pushed", method: "POST" }),
  restore: (id: AttemptId, body: RestoreRequest) => request(at(id, "restore"), { answer: "restored", method: "POST", body }),
};

/**
 * Loaded again on `git:changed` and when an execution starts or ends. What a user does in a terminal has no event: coming back to the
 * window loads it, too.
 */
export const gitStateQuery = (id: AttemptId) =>
  queryOptions({
    queryKey: ["git", id],
    queryFn: ({ signal }) => gitApi.getState(id, signal),
    refetchOnMount: "always",
    refetchOnWindowFocus: "always",
  });

export const uncommittedQuery = (id: AttemptId) =>
  queryOptions({
    queryKey: ["git", id, "uncommitted"],
    queryFn: ({ signal }) => gitApi.listUncommitted(id, signal),
    refetchOnMount: "always",
  });

/** The model that gets the diff if the user asks for a commit message. */
export const commitMessageModelQuery = (id: AttemptId) =>
  queryOptions({
    queryKey: ["commit-message-model", id],
    queryFn: ({ signal }) => gitApi.findMessageModel(id, signal),
    refetchOnMount: "always",
  });

/** Of all files with a conflict. Not below the key of the state: a change that ends the conflict must not ask for its files again. */
export const conflictSidesKey = (id: AttemptId) => ["conflict", id] as const;

/** `version`: whatever changes when the file is another one. */
export const conflictSidesQuery = (id: AttemptId, path: string, version: string) =>
  queryOptions({
    queryKey: [...conflictSidesKey(id), path, version],
    queryFn: ({ signal }) => gitApi.readConflict(id, path, signal),
    placeholderData: keepPreviousData,
    refetchOnMount: "always",
    refetchOnWindowFocus: "always",
  });
