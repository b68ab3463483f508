import {
  attemptIdSchema,
  commandResultSchema,
  openedPullRequestSchema,
  openPullRequestSchema,
  pullRequestPlanSchema,
  pullRequestSchema,
  sendPullRequestFeedbackSchema,
} from "@skein/contracts";
import { z } from "zod";
import { jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: attemptIdSchema });

export const pullRequestRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/pull-request",
    access: { project: "viewer" },
    summary: "Get the attempt's pull request, and the title, body and target that a new one would have",
    params,
    response: pullRequestPlanSchema,
    handle: ({ services, params }) => services.pullRequests.plan(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/attempts/:id/pull-request",
    access: { project: "member" },
    summary: "Push the attempt's branch, then create its pull request or update it",
    params,
    body: openPullRequestSchema,
    response: openedPullRequestSchema,
    handle: ({ services, params, body }) => services.pullRequests.open(params.id, body),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/attempts/:id/pull-request/check",
    access: { project: "member" },
    summary: "Ask the forge for the state of the pull request now",
    params,
    response: pullRequestSchema,
    handle: ({ services, params }) => services.pullRequests.check(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/attempts/:id/pull-request/feedback",
    access: { project: "member" },
    summary: "Send failed checks and comments of the pull request to the agent as one message",
    params,
    body: sendPullRequestFeedbackSchema,
    response: commandResultSchema,
    handle: ({ services, params, body }) => services.pullRequests.sendFeedback(params.id, body),
  }),
];
