import type { PullRequest } from "@skein/contracts";
import { formatText } from "@skein/engine";

const states: Record<PullRequest["state"], string> = { open: "open", draft: "draft", merged: "merged", closed: "closed without a merge" };
const marks: Record<PullRequest["checks"][number]["state"], string> = { success: "✓", failure: "✗", pending: "·", neutral: "–" };

/** The state of a pull request, its checks and comments, and what to do next. */
export function formatPullRequest(pullRequest: PullRequest, id: string): string {
  const { number, title, url, state, head, base, checks, reviews, mergeable, unsent, problem } = pullRequest;
  const isOpen = state === "open" || state === "draft";
  const opinions = reviews.filter((review) => review.state !== "commented");
  return [
    `#${number} ${title}`,
    `State        ${states[state]}, ${head} → ${base}`,
    `Page         ${url}`,
    ...(checks.length === 0 ? [] : [`Checks       ${checks.map((check) => `${marks[check.state]} ${check.name}`).join("  ")}`]),
    ...(opinions.length === 0 ? [] : [`Reviews      ${opinions.map((review) => `${review.author}: ${words[review.state]}`).join(", ")}`]),
    ...(isOpen && mergeable === "conflict" ? [`Merge        conflicts with ${base}. Update: skein update ${id}`] : []),
    ...(isOpen ? toNext(unsent, id) : []),
    ...(problem === null ? [] : [formatText(problem)]),
  ].join("\n");
}

const words: Record<PullRequest["reviews"][number]["state"], string> = {
  approved: "approved",
  "changes-requested": "changes requested",
  commented: "commented",
};

function toNext({ checks, reviews }: PullRequest["unsent"], id: string): string[] {
  if (checks.length + reviews.length === 0) return [];
  const parts = [
    ...(checks.length === 0 ? [] : [checks.length === 1 ? "1 failed check" : `${checks.length} failed checks`]),
    ...(reviews.length === 0 ? [] : [reviews.length === 1 ? "1 comment" : `${reviews.length} comments`]),
  ];
  return [`Next: skein pr ${id} --send-feedback (${parts.join(", ")})`];
}
