import {
  attemptIdSchema,
  commandResultSchema,
  commentIdSchema,
  createCommentSchema,
  reviewCommentSchema,
  reviewSchema,
  sendReviewSchema,
  setViewedSchema,
  updateCommentSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route } from "../route.ts";

const params = z.object({ id: attemptIdSchema });
const ofComment = z.object({ id: commentIdSchema });

export const reviewRoutes: readonly Route[] = [
  jsonRoute({
    method: "GET",
    path: "/api/attempts/:id/comments",
    access: { project: "viewer" },
    summary: "Get the review of an attempt: comments with their current lines, and files marked as viewed",
    params,
    response: reviewSchema,
    handle: ({ services, params }) => services.review.get(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/attempts/:id/comments",
    access: { project: "member" },
    summary: "Comment on lines, a file or the whole attempt; a draft until the review is sent",
    params,
    body: createCommentSchema,
    status: 201,
    response: reviewCommentSchema,
    handle: ({ services, params, body }) => services.review.addComment(params.id, body),
  }),
  jsonRoute({
    method: "PATCH",
    path: "/api/comments/:id",
    access: { project: "member" },
    summary: "Change the text of a draft, or resolve a comment",
    params: ofComment,
    body: updateCommentSchema,
    response: reviewCommentSchema,
    handle: ({ services, params, body }) => services.review.updateComment(params.id, body),
  }),
  emptyRoute({
    method: "DELETE",
    path: "/api/comments/:id",
    access: { project: "member" },
    summary: "Delete a comment",
    params: ofComment,
    handle: ({ services, params }) => services.review.removeComment(params.id),
  }),
  jsonRoute({
    method: "POST",
    path: "/api/attempts/:id/review",
    access: { project: "member" },
    summary: "Send all drafts to the agent as one message",
    params,
    body: sendReviewSchema,
    response: commandResultSchema,
    handle: ({ services, params, body }) => services.review.send(params.id, body),
  }),
  emptyRoute({
    method: "PUT",
    path: "/api/attempts/:id/viewed",
    access: { project: "member" },
    summary: "Mark a file of the changes as viewed, as long as its content stays the same",
    params,
    body: setViewedSchema,
    handle: ({ services, params, body }) => services.review.setViewed(params.id, body),
  }),
];
