import type { PullRequestBadge } from "@skein/contracts";

/** The one to show for a task: that of the active attempt, or the newest. */
export function chooseBadge(
  activity: { attemptId: string | null; pullRequests?: readonly PullRequestBadge[] } | undefined,
): PullRequestBadge | undefined {
  const all = activity?.pullRequests ?? [];
  return all.find(({ attemptId }) => attemptId === activity?.attemptId) ?? all.at(-1);
}
