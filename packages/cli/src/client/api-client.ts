import { type Problem, problemSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";

/** The server responded with a problem; `problem.code` is stable. */
export class ApiError extends CliError {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail, { hint: problem.command === undefined ? undefined : `Run: ${problem.command}` });
    this.problem = problem;
  }
}

/** Parses a value received over HTTP; every contract schema is one. */
export interface Reader<T> {
  parse(value: unknown): T;
}

export interface ApiClient {
  readonly url: string;
  get<T>(path: string, reader: Reader<T>): Promise<T>;
  post<T>(path: string, body: unknown, reader: Reader<T>): Promise<T>;
  send<T>(method: "PUT" | "PATCH", path: string, body: unknown, reader: Reader<T>): Promise<T>;
  /** The raw response, for bodies that are not JSON or that do not end. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

export function createApiClient({ url, token }: { url: string; token: string }): ApiClient {
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    let response: Response;
    try {
      response = await fetch(new URL(path, url), { ...init, headers });
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      throw new CliError(`The Skein server at ${url} does not respond.`, {
        hint: "Restart it (skein serve), then repeat the command.",
        cause,
      });
    }
    if (!response.ok) throw await toApiError(response);
    return response;
  }

  async function send<T>(method: string, path: string, body: unknown, reader: Reader<T>): Promise<T> {
    const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return reader.parse(await (await request(path, init)).json());
  }

  return {
    url,
    request,
    async get(path, reader) {
      return reader.parse(await (await request(path)).json());
    },
    post: (path, body, reader) => send("POST", path, body, reader),
    send,
  };
}

async function toApiError(response: Response): Promise<CliError> {
  const text = await response.text();
  try {
    return new ApiError(problemSchema.parse(JSON.parse(text)));
  } catch {
    return new CliError(`The server responded with ${response.status} ${response.statusText} to ${new URL(response.url).pathname}.`);
  }
}
