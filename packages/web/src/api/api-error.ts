import type { CodedText, Problem, StorageFault } from "@skein/contracts";

/** The server answered with a problem (RFC 9457). */
export class ApiError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail || problem.title);
    this.name = "ApiError";
    this.problem = problem;
  }
}

/** No answer came: offline, server down, connection cut. What was asked may or may not have been done. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super("The server could not be reached", { cause });
    this.name = "NetworkError";
  }
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status === 401;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status === 404;
}

/** The server could not store what was asked, and has stored nothing of it. */
export function findStorageCause(error: unknown): StorageFault | undefined {
  return error instanceof ApiError && error.problem.code === "storage-unavailable" ? error.problem.cause : undefined;
}

/** The text of a problem: its code, and its parameters among the extension members. */
export function toCodedText(problem: Problem): CodedText {
  return problem as unknown as CodedText;
}

/** A proxy or a crash may answer with something that is no problem document. */
export function parseProblem(body: unknown, status: number, statusText: string): Problem {
  const text = (value: unknown, fallback: string): string => (typeof value === "string" && value !== "" ? value : fallback);
  const fields = typeof body === "object" && body !== null ? (body as Partial<Record<keyof Problem, unknown>>) : {};
  const title = text(fields.title, statusText || `HTTP ${status}`);
  const { cause, errors, ...parameters } = fields;
  const problem: Problem = {
    ...parameters,
    type: text(fields.type, "about:blank"),
    title,
    status,
    detail: text(fields.detail, title),
    code: text(fields.code, "unknown"),
  };
  if (typeof cause === "string") problem.cause = cause as StorageFault;
  if (Array.isArray(errors)) {
    problem.errors = errors.filter(
      (error): error is { path: string; message: string } => typeof error?.path === "string" && typeof error?.message === "string",
    );
  }
  return problem;
}
