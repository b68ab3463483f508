import type { GitState, PullRequest } from "@skein/contracts";
import { toPullRequestBadge } from "@skein/engine";
import type { IconName } from "../ui/icon.tsx";
import { stateLooks } from "./state-looks.ts";

export interface PullRequestView {
  tone: string;
  icon: IconName;
  checks: { state: "failure" | "pending" | "success"; done: number; failed: number; total: number } | null;
  review: "approved" | "changes-requested" | null;
  isConflicting: boolean;
  /** What can be sent to the agent; null if there is nothing, or nobody to fix it for. */
  unsent: { checks: number; reviews: number } | null;
  /** The branch has commits that the pull request does not have. */
  canPush: boolean;
}

/** What the bar of a pull request shows. */
export function toPullRequestView(pullRequest: PullRequest, git: Pick<GitState, "head" | "dirty" | "obstacles">): PullRequestView {
  const { checks, state, unsent, mergeable, headCommit } = pullRequest;
  // the attempt is not needed for it
  const badge = toPullRequestBadge("" as never, pullRequest);
  const isOpen = state === "open" || state === "draft";
  const count = (wanted: string) => checks.filter((check) => check.state === wanted).length;
  return {
    ...stateLooks[state],
    checks:
      badge.checks === null || !isOpen
        ? null
        : { state: badge.checks, done: checks.length - count("pending"), failed: count("failure"), total: checks.length },
    review: isOpen ? badge.review : null,
    isConflicting: isOpen && mergeable === "conflict",
    unsent:
      isOpen && unsent.checks.length + unsent.reviews.length > 0 ? { checks: unsent.checks.length, reviews: unsent.reviews.length } : null,
    canPush: isOpen && git.head !== null && git.head !== headCommit && git.dirty.files === 0 && git.obstacles.push === undefined,
  };
}
