/** The fields of an error of any SDK, or of fetch, read without loading the SDK for its classes. */
export interface Failure {
  status: number | undefined;
  /** The provider's error type (`overloaded_error`, `context_length_exceeded`, `RESOURCE_EXHAUSTED`), or the system's (`ECONNREFUSED`). */
  type: string;
  message: string;
  headers: unknown;
  /** The whole error text, for details without a field. */
  raw: string;
}

export function readFailure(error: unknown): Failure {
  const fields = asRecord(error);
  const message = error instanceof Error ? error.message : String(error);
  const body = findErrorBody(fields.error) ?? findErrorBody(parseJson(message)) ?? {};
  const status = typeof fields.status === "number" ? fields.status : undefined;
  const type = [body.type, body.code, body.status, fields.code, causeCode(error)].filter((one) => typeof one === "string").join(" ");
  const said = typeof body.message === "string" && body.message !== "" ? body.message : describe(error, message);
  return { status, type, message: said, headers: fields.headers, raw: message };
}

type Fields = Record<string, unknown>;

function asRecord(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** `{ error: { … } }`, at any depth to which the SDKs unwrap it. */
function findErrorBody(value: unknown): Fields | undefined {
  const fields = asRecord(Array.isArray(value) ? value[0] : value);
  if (typeof fields.error === "object" && fields.error !== null) return findErrorBody(fields.error);
  return typeof fields.message === "string" || typeof fields.type === "string" ? fields : undefined;
}

function parseJson(text: string): unknown {
  const start = text.indexOf("{");
  if (start === -1) return undefined;
  try {
    return JSON.parse(text.slice(start));
  } catch {
    return undefined;
  }
}

function causeCode(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 6; cause = cause.cause, depth++) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
}

/** fetch reports only `fetch failed`: the reason is in its cause. */
function describe(error: unknown, message: string): string {
  const reasons = [message];
  for (let cause = asRecord(error).cause, depth = 0; cause instanceof Error && depth < 6; cause = cause.cause, depth++) {
    if (cause.message !== "" && !reasons.includes(cause.message)) reasons.push(cause.message);
  }
  return reasons.join(": ");
}
