import { HttpProblem } from "./http-problem.ts";

/** Throws a 429 for an account or address that has failed too often to try again now. */
export function refuseLimited({ waitMs }: { waitMs: number }): void {
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new HttpProblem({ status: 429, text: { code: "sign-in-limited", seconds }, headers: { "retry-after": String(seconds) } });
}
