import { ApiError, NetworkError, parseProblem } from "./api-error.ts";

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** JSON in, JSON out, from our own origin. Rejects with ApiError or NetworkError. */
export async function request<Result>(path: string, { method = "GET", body, signal }: RequestOptions = {}): Promise<Result> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      // Unsafe methods need this type even without a body: a form of another site cannot send it.
      headers: method === "GET" ? { accept: "application/json" } : { accept: "application/json", "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new NetworkError(error);
  }
  if (response.status === 204) return undefined as Result;
  const parsed = await readJson(response);
  if (!response.ok) throw new ApiError(parseProblem(parsed, response.status, response.statusText));
  return parsed as Result;
}

async function readJson(response: Response): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw new NetworkError(error);
  }
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (error) {
    if (response.ok) throw new NetworkError(error);
    return undefined;
  }
}
