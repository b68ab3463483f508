/** A failure that the caller can mend. `message` says what is wrong and what to do; `code` is stable. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind: "not-found" | "invalid" | "conflict" | "forbidden" | "unavailable";
  readonly code: string;

  constructor(kind: ServiceError["kind"], code: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
    this.code = code;
  }
}
