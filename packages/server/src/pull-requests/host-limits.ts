import type { PullRequest } from "@skein/contracts";

/**
 * Hosts that accept no requests for now. A forge limits a token, not a pull request: when one request is rejected, those about the other
 * pull requests of the host wait, too.
 */
export interface HostLimits {
  /** Remembers the limit if the pull request's problem is one. */
  learn(pullRequest: Pick<PullRequest, "host" | "problem">): void;
  /** The host has accepted a request. */
  lift(host: string): void;
  /** When the host accepts requests again; undefined if it does now. */
  find(host: string): number | undefined;
}

export function createHostLimits({ now }: { now: () => number }): HostLimits {
  const ends = new Map<string, number>();
  return {
    learn({ host, problem }) {
      if (problem?.code === "forge-rate-limited") ends.set(host, Math.max(problem.until, ends.get(host) ?? 0));
    },
    lift: (host) => void ends.delete(host),
    find(host) {
      const until = ends.get(host);
      if (until === undefined || until > now()) return until;
      ends.delete(host);
      return undefined;
    },
  };
}
