import type { AttemptId, ForgeKind, OpenPullRequest, SendPullRequestFeedback } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

const at = (id: AttemptId, part = "") => `/api/attempts/${id}/pull-request${part}`;

/** The routes of an attempt's pull request. None is repeated automatically, except for feedback, which has an id. */
export const pullRequestApi = {
  open: (id: AttemptId, body: OpenPullRequest) => request(at(id), { answer: "openedPullRequest", method: "POST", body }),
  check: (id: AttemptId) => request(at(id, "/check"), { answer: "pullRequest", method: "POST" }),
  sendFeedback: (id: AttemptId, body: SendPullRequestFeedback) =>
    request(at(id, "/feedback"), { answer: "commandResult", method: "POST", body }),
  setToken: (host: string, body: { kind: ForgeKind; token: string }) =>
    request(`/api/settings/forges/${encodeURIComponent(host)}`, { answer: "forgeAccess", method: "PUT", body }),
  removeToken: (host: string) => request(`/api/settings/forges/${encodeURIComponent(host)}`, { method: "DELETE" }),
};

/** What a new pull request would have. It depends on files and settings, so it is loaded whenever it is shown. */
export const pullRequestPlanQuery = (id: AttemptId) =>
  queryOptions({
    queryKey: ["git", id, "pull-request"],
    queryFn: ({ signal }) => request(at(id), { answer: "pullRequestPlan", signal }),
    refetchOnMount: "always",
    // typed texts must not change under the user
    refetchOnWindowFocus: false,
  });
