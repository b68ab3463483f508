import { z } from "zod";
import { timestampSchema } from "./json.ts";

export const forgeKindSchema = z.enum(["github", "gitlab", "gitea"]);
export type ForgeKind = z.infer<typeof forgeKindSchema>;

/** One check of a pull request: a CI job, a commit status. */
export const pullRequestCheckSchema = z.object({
  name: z.string(),
  state: z.enum(["pending", "success", "failure", "neutral"]),
  url: z.string().nullable(),
  /** What went wrong, in the forge's words; at most a few kilobytes. */
  summary: z.string(),
});
export type PullRequestCheck = z.infer<typeof pullRequestCheckSchema>;

/** A review, or a comment on a line. */
export const pullRequestReviewSchema = z.object({
  /** The forge's own. */
  id: z.string(),
  author: z.string(),
  state: z.enum(["commented", "approved", "changes-requested"]),
  body: z.string(),
  path: z.string().nullable(),
  line: z.int().positive().nullable(),
  url: z.string().nullable(),
  createdAt: timestampSchema,
});
export type PullRequestReview = z.infer<typeof pullRequestReviewSchema>;

/** A pull request (GitHub, Gitea, Forgejo) or merge request (GitLab), as it was when the forge was asked last. */
export const pullRequestSchema = z.object({
  forge: forgeKindSchema,
  number: z.int().positive(),
  url: z.string(),
  title: z.string(),
  state: z.enum(["open", "draft", "merged", "closed"]),
  /** Branches: what is merged, and into what. */
  head: z.string(),
  base: z.string(),
  checks: z.array(pullRequestCheckSchema),
  reviews: z.array(pullRequestReviewSchema),
  /** Ids of the reviews, and names of the failed checks with their commit, that the agent was sent. */
  sent: z.array(z.string()),
  /** Why the last request to the forge failed; null when it did not. */
  problem: z.string().nullable(),
  checkedAt: timestampSchema,
});
export type PullRequest = z.infer<typeof pullRequestSchema>;

export const openPullRequestSchema = z.object({
  /** Defaults to the task's title. */
  title: z.string().trim().min(1).max(300).optional(),
  /** Defaults to the task's description, the summary of the agent and the list of changed files. */
  body: z.string().max(60_000).optional(),
  draft: z.boolean().default(false),
  /** Defaults to the attempt's base branch. */
  base: z.string().min(1).max(500).optional(),
  remote: z.string().min(1).max(200).optional(),
});
export type OpenPullRequest = z.input<typeof openPullRequestSchema>;

/** Sends failed checks and unanswered review comments of the pull request to the agent, as one message. */
export const sendPullRequestFeedbackSchema = z.object({
  /** Chosen by the client. The same id sent again does nothing. */
  id: z.string().min(1).max(200),
});
