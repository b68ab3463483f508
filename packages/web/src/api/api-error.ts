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

/** No answer: offline, server down, connection lost. The request may or may not have been carried out. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super("The server could not be reached", { cause });
    this.name = "NetworkError";
  }
}

/** The server sent something that this page cannot read: the page is older than the server, or a proxy answered. */
export class UnreadableError extends Error {
  /** The route or the event, as in `GET /api/projects`. */
  readonly source: string;
  /** The path of the first field that does not fit, as in `0.name`; empty for the whole. */
  readonly field: string;
  constructor({ source, field, reason }: { source: string; field: string; reason: string }) {
    super([source, field, reason].filter((part) => part !== "").join(": "));
    this.name = "UnreadableError";
    this.source = source;
    this.field = field;
  }
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status === 401;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.problem.status === 404;
}

/** Why the server could not store a change. Nothing of the change was stored. */
export function findStorageCause(error: unknown): StorageFault | undefined {
  return error instanceof ApiError && error.problem.code === "storage-unavailable" ? error.problem.cause : undefined;
}

/** A command for a terminal that removes the cause of a failure. */
export function findCommand(error: unknown): string | undefined {
  return error instanceof ApiError ? error.problem.command : undefined;
}

/** The coded text of a problem: its code, with the extension members as parameters. */
export function toCodedText(problem: Problem): CodedText {
  return problem as unknown as CodedText;
}

/** Fills in what is missing: a proxy may answer with something that is not a problem document. */
export function parseProblem(body: unknown, status: number, statusText: string): Problem {
  const text = (value: unknown, fallback: string): string => (typeof value === "string" && value !== "" ? value : fallback);
  const fields = typeof body === "object" && body !== null ? (body as Partial<Record<keyof Problem, unknown>>) : {};
  const title = text(fields.title, statusText || `HTTP ${status}`);
  const { cause, errors, command, ...parameters } = fields;
  const problem: Problem = {
    ...parameters,
    type: text(fields.type, "about:blank"),
    title,
    status,
    detail: text(fields.detail, title),
    code: text(fields.code, "unknown"),
  };
  if (typeof cause === "string") problem.cause = cause as StorageFault;
  if (typeof command === "string") problem.command = command;
  if (Array.isArray(errors)) {
    problem.errors = errors.filter(
      (error): error is { path: string; message: string } => typeof error?.path === "string" && typeof error?.message === "string",
    );
  }
  return problem;
}
