import type { z } from "zod";
import { NetworkError, UnreadableError } from "./api-error.ts";
import { type AnswerSchemas, loadAnswerSchema } from "./load-wire-schemas.ts";
import { parseReceived } from "./parse-received.ts";
import { sendRequest } from "./send-request.ts";

type AnswerName = keyof AnswerSchemas;

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/**
 * Sends JSON to our own origin and reads the answer with the schema that `answer` names; without it the answer is ignored. Rejects
 * with `ApiError`, `NetworkError` or `UnreadableError`.
 *
 * @example request("/api/projects", { answer: "projects", signal })
 */
export function request<Name extends AnswerName>(
  path: string,
  options: RequestOptions & { answer: Name },
): Promise<z.output<AnswerSchemas[Name]>>;
export function request(path: string, options: RequestOptions): Promise<void>;
export async function request(
  path: string,
  { method = "GET", body, signal, answer }: RequestOptions & { answer?: AnswerName },
): Promise<unknown> {
  const sent = sendRequest(path, {
    method,
    // Unsafe methods need this type even without a body: a form of another site cannot send it.
    headers: method === "GET" ? { accept: "application/json" } : { accept: "application/json", "content-type": "application/json" },
    ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
    ...(signal ? { signal } : {}),
  });
  if (answer === undefined) return void (await sent);
  return readAnswer(sent, { answer, source: `${method} ${path.replace(/\?.*/, "")}` });
}

/** Reads a response with the schema that `answer` names. `source` is the route, for errors. Rejects as `request` does. */
export function readAnswer<Name extends AnswerName>(
  sent: Promise<Response>,
  options: { answer: Name; source: string },
): Promise<z.output<AnswerSchemas[Name]>>;
export async function readAnswer(sent: Promise<Response>, { answer, source }: { answer: AnswerName; source: string }): Promise<unknown> {
  const [body, schema] = await Promise.all([sent.then((response) => readJson(response, source)), loadAnswerSchema(answer)]);
  return parseReceived(schema, body, source);
}

async function readJson(response: Response, source: string): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw new NetworkError(error);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableError({ source, field: "", reason: "not JSON" });
  }
}
