import type { AttemptId, PullRequest, PullRequestBadge, PullRequestReview } from "@skein/contracts";

/** What lists show of a pull request: one state of all checks, and the strongest opinion of the reviewers. */
export function toPullRequestBadge(attemptId: AttemptId, pullRequest: PullRequest): PullRequestBadge {
  const { forge, number, url, state, checks, reviews } = pullRequest;
  const stated = [...listOpinions(reviews).values()];
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

/** By reviewer. The last opinion of each counts; a comment is none. */
export function listOpinions(reviews: readonly PullRequestReview[]): Map<string, PullRequestReview["state"]> {
  return new Map(reviews.filter(({ state }) => state !== "commented").map(({ author, state }) => [author, state]));
}
