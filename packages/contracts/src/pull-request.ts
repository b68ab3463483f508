import { z } from "zod";
import { forgeTextSchema } from "./coded-texts/forge-text.ts";
import { hooksRunSchema } from "./hooks-run.ts";
import { attemptIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** Software that hosts repositories. `gitea` includes Forgejo. */
export const forgeKindSchema = z.enum(["github", "gitlab", "gitea"]);
export type ForgeKind = z.infer<typeof forgeKindSchema>;

/** A host name, with its port if it is not the default one: `github.com`, `git.example.com:8443`. */
export const forgeHostSchema = z
  .string()
  .max(255)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i, "must be a host name, with a port if needed")
  .transform((host) => host.toLowerCase());

/** A CI job or commit status of a pull request's newest commit. */
export const pullRequestCheckSchema = z.object({
  /** The forge's own id. The same check of another commit has another one. */
  id: z.string(),
  name: z.string(),
  state: z.enum(["pending", "success", "failure", "neutral"]),
  url: z.string().nullable(),
  /** The result in the forge's words; at most a few kilobytes. */
  summary: z.string(),
});
export type PullRequestCheck = z.infer<typeof pullRequestCheckSchema>;

/** A review, or a comment on the pull request or on one of its lines. */
export const pullRequestReviewSchema = z.object({
  /** The forge's own id. */
  id: z.string(),
  author: z.string(),
  /** The forge names the author as a member of the repository. Only what members write is sent without being asked. */
  isMember: z.boolean(),
  state: z.enum(["commented", "approved", "changes-requested"]),
  body: z.string(),
  path: z.string().nullable(),
  line: z.int().positive().nullable(),
  url: z.string().nullable(),
  createdAt: timestampSchema,
});
export type PullRequestReview = z.infer<typeof pullRequestReviewSchema>;

const pullRequestStateSchema = z.enum(["open", "draft", "merged", "closed"]);

/** A pull request (GitHub, Gitea, Forgejo) or merge request (GitLab) as its forge describes it. */
export const forgePullRequestSchema = z.object({
  number: z.int().positive(),
  /** Its page, for a browser. */
  url: z.url({ protocol: /^https?$/ }),
  title: z.string(),
  body: z.string(),
  state: pullRequestStateSchema,
  /** The branch to merge, and its newest commit. */
  head: z.string(),
  headCommit: z.string(),
  base: z.string(),
  /** `unknown`: the forge has not computed it yet. */
  mergeable: z.enum(["yes", "conflict", "blocked", "unknown"]),
  checks: z.array(pullRequestCheckSchema),
  reviews: z.array(pullRequestReviewSchema),
});
export type ForgePullRequest = z.infer<typeof forgePullRequestSchema>;

/** The pull request of an attempt, as it was when the forge was last asked. */
export const pullRequestSchema = forgePullRequestSchema.extend({
  forge: forgeKindSchema,
  host: z.string(),
  /** `owner/name`; with GitLab also deeper. */
  repository: z.string(),
  /** Failed checks and comments that the agent has not been sent yet, by id. */
  unsent: z.object({ checks: z.array(z.string()), reviews: z.array(z.string()) }),
  /** How often feedback was sent without being asked. */
  automaticRounds: z.int().nonnegative(),
  /** Why the last request to the forge failed; null if it succeeded. */
  problem: forgeTextSchema.nullable(),
  checkedAt: timestampSchema,
});
export type PullRequest = z.infer<typeof pullRequestSchema>;

/** What lists show of a pull request. */
export const pullRequestBadgeSchema = z.object({
  attemptId: attemptIdSchema,
  forge: forgeKindSchema,
  number: z.int().positive(),
  url: z.string(),
  state: pullRequestStateSchema,
  /** Of all checks together; null if there are none. */
  checks: z.enum(["pending", "success", "failure"]).nullable(),
  /** The strongest opinion of the reviewers; null if there is none. */
  review: z.enum(["approved", "changes-requested"]).nullable(),
});
export type PullRequestBadge = z.infer<typeof pullRequestBadgeSchema>;

/** Creates the pull request of an attempt, or updates it: fields that are left out stay as they are. */
export const openPullRequestSchema = z.object({
  /** Defaults to the task's title. */
  title: z.string().trim().min(1).max(250).optional(),
  /** Defaults to the task's description, the agent's last answer and the changed files. */
  body: z.string().max(60_000).optional(),
  /** Defaults to the attempt's base branch. */
  base: z.string().min(1).max(500).optional(),
  draft: z.boolean().optional(),
});
export type OpenPullRequest = z.input<typeof openPullRequestSchema>;

/** `pushed`: the forge has no API that Skein knows. The page, if there is one, has a form for the pull request. */
export const openedPullRequestSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.enum(["created", "updated"]), pullRequest: pullRequestSchema, hooks: hooksRunSchema }),
  z.object({ outcome: z.literal("pushed"), newPullRequestUrl: z.string().nullable(), hooks: hooksRunSchema }),
]);
export type OpenedPullRequest = z.infer<typeof openedPullRequestSchema>;

/** What would be opened: GET /api/attempts/:id/pull-request. */
export const pullRequestPlanSchema = z.object({
  pullRequest: pullRequestSchema.nullable(),
  title: z.string(),
  body: z.string(),
  base: z.string().nullable(),
  /** Where the branch would be pushed; null without a remote. */
  target: z
    .object({
      host: z.string(),
      repository: z.string(),
      /** Null: no forge that Skein knows. */
      forge: forgeKindSchema.nullable(),
      /** Where the token comes from; null if there is none. */
      credential: z.enum(["environment", "cli", "settings"]).nullable(),
      /** How to sign in, if there is no credential. */
      signIn: z.object({ variable: z.string(), command: z.string().nullable() }).nullable(),
    })
    .nullable(),
});
export type PullRequestPlan = z.infer<typeof pullRequestPlanSchema>;

/** Sends failed checks and comments to the agent as one message. */
export const sendPullRequestFeedbackSchema = z.object({
  /** Chosen by the client. A repeated request with the same id does nothing. */
  id: z.string().min(1).max(200),
  /** Written before the feedback. */
  message: z.string().max(100_000).default(""),
});
export type SendPullRequestFeedback = z.input<typeof sendPullRequestFeedbackSchema>;

/** A forge's host in the settings. Its token is never returned. */
export const forgeAccessSchema = z.object({
  host: z.string(),
  kind: forgeKindSchema,
  /** The environment takes precedence. Without either, the login of the forge's own command line tool is used. */
  source: z.enum(["none", "environment", "settings"]),
  /** Whether the settings have a token, even if another one is used. */
  isSet: z.boolean(),
});
export type ForgeAccess = z.infer<typeof forgeAccessSchema>;

/** Sets the token of a forge's host. */
export const setForgeTokenSchema = z.object({
  kind: forgeKindSchema,
  token: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(2000)
    // it becomes part of a header
    .regex(/^[\x21-\x7e]+$/, "must be letters, digits and signs without spaces"),
});

/** The row of a pull request: what clients get, and what the watcher needs. */
export const storedPullRequestSchema = z.object({
  attemptId: attemptIdSchema,
  taskId: taskIdSchema,
  pullRequest: pullRequestSchema,
  /** Ids of the failed checks and comments that were sent to the agent. */
  sent: z.array(z.string()),
  /** The execution that answers feedback which was sent automatically: its work is committed and pushed when it has succeeded. */
  publishAfter: executionIdSchema.nullable(),
  /** When the forge is asked next; null: not before somebody looks at it. */
  nextCheckAt: timestampSchema.nullable(),
  /** When somebody last looked at it. */
  seenAt: timestampSchema,
  /** Requests that failed since the last one that succeeded. */
  failures: z.int().nonnegative(),
  /** Since when its feedback is in the inbox, and when it was cleared; null if it never was there. */
  inbox: z.object({ addedAt: timestampSchema, clearedAt: timestampSchema.nullable() }).nullable(),
});
export type StoredPullRequest = z.infer<typeof storedPullRequestSchema>;
