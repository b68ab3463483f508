import type { StoredPullRequest } from "@skein/contracts";

const minuteMs = 60_000;
const maxBackOffMs = 30 * minuteMs;
/** A user who looked this recently is likely to be waiting for the result. */
const watchedMs = 10 * minuteMs;
/** After this long without a look, the state is read at the next one. */
const forgottenMs = 24 * 60 * minuteMs;

/** Between requests of a pull request that somebody looks at, while checks run. */
export const defaultPollMs = 30_000;

/**
 * When a forge is asked about a pull request again; null: not before somebody looks at it. Often while somebody looks and checks run,
 * rarely later, ever more rarely while requests fail, and not before the forge accepts requests again.
 */
export function toNextCheck(
  { pullRequest, seenAt, failures }: Pick<StoredPullRequest, "pullRequest" | "seenAt" | "failures">,
  { now, pollMs = defaultPollMs }: { now: number; pollMs?: number | undefined },
): number | null {
  const { state, problem, checks } = pullRequest;
  if (state === "merged" || state === "closed" || now - seenAt > forgottenMs) return null;
  if (problem?.code === "forge-rate-limited") return Math.max(problem.until, now + pollMs);
  if (failures > 0) return now + Math.min(maxBackOffMs, pollMs * 2 ** Math.min(failures, 10));
  if (now - seenAt > watchedMs) return now + 10 * pollMs;
  return now + (checks.some((check) => check.state === "pending") ? pollMs : 2 * pollMs);
}
