import { ApiError, NetworkError, parseProblem } from "./api-error.ts";
import { sessionHeaders, sessionSecret } from "./session-secret.ts";

/**
 * A request to our own API, with the session's secret. Resolves with an answer that is not an error; rejects with `ApiError`,
 * `NetworkError`, or an `AbortError`.
 */
export async function sendRequest(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  const secret = sessionSecret.get();
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init, headers: { ...init.headers, ...sessionHeaders() } });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new NetworkError(error);
  }
  if (response.ok) return response;
  // another tab signed in during this request
  if (response.status === 401 && sessionSecret.get() !== secret) return sendRequest(path, init);
  throw new ApiError(parseProblem(await readProblem(response), response.status, response.statusText));
}

async function readProblem(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
