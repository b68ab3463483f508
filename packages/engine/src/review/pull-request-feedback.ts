import type { ForgePullRequest, PullRequest, PullRequestCheck, PullRequestReview } from "@skein/contracts";
import { takeEnd, toOneLine } from "../text/truncate.ts";

const maxLog = 4_000;
const maxComments = 100;

/** Failed checks and comments that the agent was not sent. Approvals, and reviews without a text, ask for nothing. */
export function listUnsent(
  { checks, reviews }: Pick<ForgePullRequest, "checks" | "reviews">,
  sent: readonly string[],
): PullRequest["unsent"] {
  const isNew = ({ id }: { id: string }) => !sent.includes(id);
  return {
    checks: checks.filter((check) => check.state === "failure" && isNew(check)).map(({ id }) => id),
    reviews: reviews.filter((review) => review.state !== "approved" && review.body.trim() !== "" && isNew(review)).map(({ id }) => id),
  };
}

export interface PullRequestFeedback {
  pullRequest: Pick<PullRequest, "number" | "title">;
  /** Failed checks, each with the end of its log where there is one. */
  checks: readonly { check: PullRequestCheck; log: string }[];
  reviews: readonly PullRequestReview[];
}

/** Failed checks and comments as one message for an agent. What others wrote is quoted, so that it is not taken for the user's words. */
export function formatFeedback({ pullRequest, checks, reviews }: PullRequestFeedback, introduction = ""): string {
  const head =
    introduction.trim() === ""
      ? `Pull request #${pullRequest.number} (“${toOneLine(pullRequest.title)}”) got feedback. Please fix the failing checks and address the comments.`
      : introduction.trim();
  const shown = reviews.slice(0, maxComments);
  const left = reviews.length - shown.length;
  return [
    head,
    ...(checks.length === 0 ? [] : ["## Failing checks", ...checks.map(formatCheck)]),
    ...(shown.length === 0 ? [] : ["## Comments", ...shown.map(formatComment)]),
    ...(left === 0 ? [] : [`(${left} more comments are on the pull request.)`]),
  ].join("\n\n");
}

function formatCheck({ check, log }: PullRequestFeedback["checks"][number]): string {
  const summary = check.summary.trim();
  return [
    `### ${toOneLine(check.name)}`,
    ...(summary === "" ? [] : [quote(summary)]),
    ...(log.trim() === "" ? [] : [fence(takeEnd(log.trimEnd(), maxLog))]),
    ...(summary === "" && log.trim() === "" ? [`No output. ${check.url === null ? "" : `Details: ${check.url}`}`.trim()] : []),
  ].join("\n");
}

function formatComment({ author, path, line, body }: PullRequestReview): string {
  const place = path === null ? "" : `, \`${toOneLine(path)}\`${line === null ? "" : ` line ${line}`}`;
  return `${toOneLine(author)}${place}:\n${quote(body.trim())}`;
}

function quote(text: string): string {
  return (
    text
      // every character that a reader may take for the end of a line, and with it of the quotation
      .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
      .map((line) => `> ${line}`.trimEnd())
      .join("\n")
  );
}

/** A fence that no line of the text ends. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`{3,})/gm)].map(([, run = ""]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}\n${text}\n${mark}`;
}
