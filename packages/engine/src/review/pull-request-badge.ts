import type { AttemptId, PullRequest, PullRequestBadge } from "@skein/contracts";

/** What lists show of a pull request: one state of all checks, and the strongest opinion of the reviewers. */
export function toPullRequestBadge(attemptId: AttemptId, pullRequest: PullRequest): PullRequestBadge {
  const { forge, number, url, state, checks, reviews } = pullRequest;
  // the last opinion of each reviewer counts; a comment is none
  const opinions = new Map(reviews.filter((review) => review.state !== "commented").map((review) => [review.author, review.state]));
  const stated = [...opinions.values()];
  return {
    ...{ attemptId, forge, number, url, state },
    checks: checks.some((check) => check.state === "failure")
      ? "failure"
      : checks.some((check) => check.state === "pending")
        ? "pending"
        : checks.length === 0
          ? null
          : "success",
    review: stated.includes("changes-requested") ? "changes-requested" : stated.includes("approved") ? "approved" : null,
  };
}
