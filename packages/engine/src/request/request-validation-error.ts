const messages = {
  empty: "Messages cannot be empty",
  "starts-with-tool": "Messages cannot start with a tool message",
  "orphaned-tool": "Found orphaned tool message after validation",
  "unanswered-call": "Found unanswered tool call after validation",
} as const;

/** Which check failed. */
export type RequestProblem = keyof typeof messages;

/** The history cannot be sent. `position` and `toolCallId` identify the invalid part. */
export class RequestValidationError extends Error {
  override readonly name = "RequestValidationError";
  readonly problem: RequestProblem;
  readonly position: number | undefined;
  readonly toolCallId: string | undefined;

  constructor(problem: RequestProblem, part: { position?: number; toolCallId?: string | undefined } = {}) {
    super(messages[problem]);
    this.problem = problem;
    this.position = part.position;
    this.toolCallId = part.toolCallId;
  }
}
