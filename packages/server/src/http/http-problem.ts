import { STATUS_CODES } from "node:http";
import { type Problem, ServiceError, type StorageFault } from "@skein/contracts";
import { toStorageDetail } from "../faults/storage-detail.ts";

export interface ProblemInput {
  status: number;
  code: string;
  detail: string;
  cause?: StorageFault;
  errors?: Problem["errors"];
  headers?: Readonly<Record<string, string>>;
}

/** Ends a request with problem details (RFC 9457). Thrown inside the HTTP layer only. */
export class HttpProblem extends Error {
  override readonly name = "HttpProblem";
  readonly problem: ProblemInput;

  constructor(problem: ProblemInput) {
    super(problem.detail);
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

/** Undefined for a bug: its details stay in the log. */
export function toProblemInput(error: unknown): ProblemInput | undefined {
  if (error instanceof HttpProblem) return error.problem;
  if (error instanceof ServiceError) return { status: statusOfKind[error.kind], code: error.code, detail: error.message };
  return undefined;
}

export const internalProblem: ProblemInput = {
  status: 500,
  code: "internal-error",
  detail: "Something went wrong inside Skein. The server's log has the details.",
};

/** The request was right; nothing can be stored just now. */
export function storageProblem(fault: StorageFault): ProblemInput {
  return {
    status: 503,
    code: "storage-unavailable",
    detail: toStorageDetail(fault),
    cause: fault,
    headers: { "retry-after": "5" },
  };
}

export function toProblem({ status, code, detail, cause, errors }: ProblemInput): Problem {
  const title = STATUS_CODES[status] ?? "Error";
  const more = { ...(cause === undefined ? {} : { cause }), ...(errors === undefined ? {} : { errors }) };
  return { type: "about:blank", title, status, detail, code, ...more };
}

export function problemResponse(input: ProblemInput): Response {
  const headers = { "content-type": "application/problem+json", ...input.headers };
  return new Response(JSON.stringify(toProblem(input)), { status: input.status, headers });
}
