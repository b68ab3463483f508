import { SkeinConnectionError, SkeinError } from "./errors.ts";
import { otherRoutes, type Problem, type Routes } from "./routes.ts";

export type RouteName = keyof Routes;

/** What a route needs: `params`, `query` and `body`, each only if the route has it. A query or body of optional fields may be left out. */
export type RouteInput<Name extends RouteName> = Optionals<Omit<Routes[Name], "response">>;
export type RouteAnswer<Name extends RouteName> = Routes[Name]["response"];

type Optionals<Parts> = { [Part in keyof Parts as Record<never, never> extends Parts[Part] ? never : Part]: Parts[Part] } & {
  [Part in keyof Parts as Record<never, never> extends Parts[Part] ? Part : never]?: Parts[Part];
};

export interface ClientOptions {
  /** The address of the server: `http://127.0.0.1:4180`. */
  url: string;
  /** The content of `<data dir>/token`, or an API token of a user. */
  token?: string | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface RequestOptions<Answer> {
  signal?: AbortSignal | undefined;
  /** Checks an answer, such as `(value) => schema.parse(value)`; default: it is taken as it is. */
  parse?: ((value: unknown) => Answer) | undefined;
}

/** A client of one server. */
export interface SkeinClient {
  readonly url: string;
  /**
   * Sends a request to a route of the API. Rejects with `SkeinError` if the server refuses it, with `SkeinConnectionError` if there is no
   * answer, and with an `AbortError`.
   *
   * @example const { title } = await client.request("GET /api/tasks/:id", { params: { id } });
   */
  request<Name extends RouteName>(
    route: Name,
    ...args: Record<never, never> extends RouteInput<Name>
      ? [input?: RouteInput<Name>, options?: RequestOptions<RouteAnswer<Name>>]
      : [input: RouteInput<Name>, options?: RequestOptions<RouteAnswer<Name>>]
  ): Promise<RouteAnswer<Name>>;
  /** Sends any request with the client's credential, and resolves with a successful response. Rejects as `request` does. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

/** Creates a client. Opens no connection. */
export function createClient({ url, token, headers: fixed = {}, fetch = globalThis.fetch }: ClientOptions): SkeinClient {
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(fixed)) headers.set(name, value);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    let response: Response;
    try {
      response = await fetch(new URL(path, url), { ...init, headers });
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      throw new SkeinConnectionError(`The Skein server at ${url} does not respond.`, { cause });
    }
    if (response.ok) return response;
    throw await toError(response);
  }

  async function request(
    route: string,
    input: { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown } = {},
    { signal, parse = (value) => value }: RequestOptions<unknown> = {},
  ): Promise<unknown> {
    const [method = "", pattern = ""] = route.split(" ", 2);
    const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ""));
    const response = await send(`${path}${toQuery(input.query)}`, {
      method,
      // unsafe methods need this type even without a body
      ...(method === "GET" ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(input.body ?? {}) }),
      ...(signal === undefined ? {} : { signal }),
    });
    switch (otherRoutes[route]) {
      case "raw":
        return response;
      case "empty":
        await response.body?.cancel();
        return undefined;
      default:
        return parse(await readJson(response));
    }
  }

  return { url, send, request: request as SkeinClient["request"] };
}

function toQuery(query: Readonly<Record<string, unknown>> = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new SkeinConnectionError("The server's answer is not JSON, or it was cut off.", { cause, status: response.status });
  }
}

async function toError(response: Response): Promise<Error> {
  const { status, statusText } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (isProblem(body)) return new SkeinError(body);
  return new SkeinConnectionError(`The server responded with ${status} ${statusText} to ${new URL(response.url).pathname}.`, { status });
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "code" in value && "detail" in value && typeof value.detail === "string";
}
