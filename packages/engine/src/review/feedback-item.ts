import type { FeedbackItem, PullRequest, StoredPullRequest } from "@skein/contracts";
import { listOpinions } from "./pull-request-badge.ts";

const nothing = { checks: [], reviews: [] };

/**
 * The feedback of an open pull request that needs the user, by id: failed checks and, while changes are requested, comments. Only what
 * the agent has not been sent. Other comments are left out, because anybody may write them. While automatic rounds are left, only the
 * comments that are not sent automatically.
 */
export function listFeedbackForUser(pullRequest: PullRequest, { maxRounds }: { maxRounds: number }): PullRequest["unsent"] {
  const { state, unsent, reviews, automaticRounds } = pullRequest;
  if (state === "merged" || state === "closed") return nothing;
  const requested = listRequesting(pullRequest).length > 0 ? unsent.reviews : [];
  if (automaticRounds >= maxRounds) return { checks: unsent.checks, reviews: requested };
  const members = reviews.filter(({ isMember }) => isMember).map(({ id }) => id);
  return { checks: [], reviews: requested.filter((id) => !members.includes(id)) };
}

/** The inbox item of a pull request; undefined if it never was in the inbox. */
export function toFeedbackItem({ attemptId, taskId, pullRequest, inbox }: StoredPullRequest): FeedbackItem | undefined {
  if (inbox === null) return undefined;
  const { number, url, checks, unsent } = pullRequest;
  return {
    ...{ kind: "feedback", id: attemptId, taskId, attemptId, number, url },
    failedChecks: checks.filter(({ id }) => unsent.checks.includes(id)).map(({ name }) => name),
    changesRequestedBy: unsent.reviews.length === 0 ? [] : listRequesting(pullRequest),
    ...inbox,
  };
}

/** Reviewers who request changes. */
function listRequesting({ reviews }: PullRequest): string[] {
  return [...listOpinions(reviews)].filter(([, opinion]) => opinion === "changes-requested").map(([author]) => author);
}
