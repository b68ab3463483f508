import { NetworkError } from "./api-error.ts";
import { sendRequest } from "./send-request.ts";

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** JSON in, JSON out, from our own origin. Rejects with ApiError or NetworkError. */
export async function request<Result>(path: string, { method = "GET", body, signal }: RequestOptions = {}): Promise<Result> {
  const response = await sendRequest(path, {
    method,
    // Unsafe methods need this type even without a body: a form of another site cannot send it.
    headers: method === "GET" ? { accept: "application/json" } : { accept: "application/json", "content-type": "application/json" },
    ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
    ...(signal ? { signal } : {}),
  });
  if (response.status === 204) return undefined as Result;
  return (await readJson(response)) as Result;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  } catch (error) {
    throw new NetworkError(error);
  }
}
