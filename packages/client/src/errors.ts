import type { Problem } from "./routes.ts";

/** The server refused a request or failed: problem details (RFC 9457). `problem.code` is stable. */
export class SkeinError extends Error {
  override readonly name = "SkeinError";
  readonly status: number;
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.status = problem.status;
    this.problem = problem;
  }
}

/** The server did not answer, or not in a form that is known: `status` is that of the answer. */
export class SkeinConnectionError extends Error {
  override readonly name = "SkeinConnectionError";
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.status = options.status;
  }
}
