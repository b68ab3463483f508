import { createClient, type SkeinClient, SkeinConnectionError, SkeinError } from "@skein/client";
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
  /** A request to a route, with its types. */
  call: SkeinClient["request"];
}

/** The client of the API, with errors that are shown to users. */
export function createApiClient(options: { url: string; token: string }): ApiClient {
  const client = createClient(options);
  const { url } = options;
  const request: ApiClient["request"] = (path, init) => client.send(path, init).catch((error: unknown) => explain(error, url));

  async function send<T>(method: string, path: string, body: unknown, reader: Reader<T>): Promise<T> {
    const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return reader.parse(await (await request(path, init)).json());
  }

  return {
    url,
    request,
    call: (...args) => client.request(...args).catch((error: unknown) => explain(error, url)),
    async get(path, reader) {
      return reader.parse(await (await request(path)).json());
    },
    post: (path, body, reader) => send("POST", path, body, reader),
    send,
  };
}

function explain(error: unknown, url: string): never {
  if (error instanceof SkeinError) {
    const problem = problemSchema.safeParse(error.problem);
    throw problem.success ? new ApiError(problem.data) : new CliError(error.message, { cause: error });
  }
  if (!(error instanceof SkeinConnectionError)) throw error;
  if (error.status !== undefined) throw new CliError(error.message, { cause: error });
  throw new CliError(`The Skein server at ${url} does not respond.`, {
    hint: "Restart it (skein serve), then repeat the command.",
    cause: error,
  });
}
