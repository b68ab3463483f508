import { STATUS_CODES } from "node:http";
import type { CodedText, Problem, StorageFault } from "@skein/contracts";
import { formatText, ServiceError } from "@skein/engine";

export interface ProblemInput {
  status: number;
  text: CodedText;
  command?: string | undefined;
  errors?: Problem["errors"];
  headers?: Readonly<Record<string, string>>;
}

/** Ends a request with problem details (RFC 9457). Thrown inside the HTTP layer only. */
export class HttpProblem extends Error {
  override readonly name = "HttpProblem";
  readonly problem: ProblemInput;

  constructor(problem: ProblemInput) {
    super(formatText(problem.text));
    this.problem = problem;
  }
}

const statusOfKind: Record<ServiceError["kind"], number> = {
  "not-found": 404,
  invalid: 422,
  conflict: 409,
  forbidden: 403,
  unavailable: 503,
};

/** Undefined for a bug, whose details are only logged. */
export function toProblemInput(error: unknown): ProblemInput | undefined {
  if (error instanceof HttpProblem) return error.problem;
  if (error instanceof ServiceError) return { status: statusOfKind[error.kind], text: error.text, command: error.command };
  return undefined;
}

export const internalProblem: ProblemInput = { status: 500, text: { code: "internal-error" } };

/** The request is valid, but nothing can be stored now. */
export function storageProblem(fault: StorageFault): ProblemInput {
  return { status: 503, text: { code: "storage-unavailable", cause: fault }, headers: { "retry-after": "5" } };
}

export function toProblem({ status, text, command, errors }: ProblemInput): Problem {
  const title = STATUS_CODES[status] ?? "Error";
  const others = { ...(command === undefined ? {} : { command }), ...(errors === undefined ? {} : { errors }) };
  return { type: "about:blank", title, status, detail: formatText(text), ...text, ...others };
}

export function problemResponse(input: ProblemInput): Response {
  const headers = { "content-type": "application/problem+json", ...input.headers };
  return new Response(JSON.stringify(toProblem(input)), { status: input.status, headers });
}
