import type { MergeMode, Session, TaskId, TokenScope } from "@skein/contracts";
import type { ConnectionPeer } from "@skein/host";
import type { z } from "zod";
import type { Services } from "../services/services.ts";
import type { Origin } from "../team/sessions.ts";
import type { TeamService, TokenService } from "../team/team-service.ts";
import type { JsonResult } from "./json-response.ts";
import type { Access, Caller } from "./security/access.ts";

/** Features of the HTTP layer itself, in addition to the services. */
export interface HttpFeatures {
  /** The address that users open. */
  origin(): string;
  createLaunchUrl(): string;
  /** Creates a 0600 HTML file that redirects to a launch link, and returns its path. */
  createLaunchFile(): string;
  /** Redeems a launch code; undefined if it is invalid. Ends the caller's existing session. */
  signIn(code: string, caller: Caller): Promise<{ session: Session; setCookie: string } | undefined>;
  /** Redeems a launch code of this server, for another one. */
  redeem(code: string): boolean;
  /** Ends the caller's session, or those of all browsers; with users, of all browsers of the user. Returns the `Set-Cookie` value that removes the cookie. */
  signOut(caller: Caller, options: { everywhere: boolean }): Promise<string>;
  /** The cookie of a user's session, and that of a sign-in at another server. */
  cookies: { session(value: string, lifetimeMs: number): string; flow: FlowCookie };
  openEventStream(input: EventStreamInput): Response;
  describeApi(): Promise<unknown>;
  /** In Prometheus' text format; undefined if metrics are off. */
  renderMetrics: (() => Promise<string>) | undefined;
}

/** Ties a sign-in with OpenID Connect to the browser that started it. */
export interface FlowCookie {
  set(value: string): string;
  clear(): string;
  read(headers: Headers): string;
}

export interface EventStreamInput {
  /** As the caller sees them. */
  services: Pick<Services, "events" | "conversation" | "tasks">;
  /** The last sequence number that the client has; undefined for new events only. */
  after: number | undefined;
  taskId: TaskId | undefined;
  /** A message that was shown before it was committed is then sent by its id only. */
  shortRepeats: boolean;
  /** How tool uses and results are merged. */
  mergeMode: MergeMode;
  /** A browser's stream ends with its session. */
  caller: Caller;
  /** Closes the connection, even if its client does not read. */
  disconnect: () => void;
}

export interface RouteRequest<Params, Query, Body> {
  services: Services;
  http: HttpFeatures;
  /** Users. Rejects with `team-mode-off` without team mode. */
  readonly team: TeamService;
  /** Undefined without team mode. */
  readonly maybeTeam: TeamService | undefined;
  /** API tokens, with and without users. */
  tokens(): Promise<TokenService>;
  /** Sends a request to this server's own API, as the same caller over the same connection. */
  callSelf(path: string, init?: RequestInit): Promise<Response>;
  /** Rejects what a process of a running agent sends. */
  refuseAgents(): Promise<void>;
  /** The address that the request comes from, and its program. */
  from: Origin;
  url: URL;
  method: string;
  headers: Headers;
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  /** The body of a route with `upload`, while it is received. Throws if it is no JSON or too large. */
  upload: AsyncIterable<Uint8Array>;
  disconnect: () => void;
  /**
   * A response whose body is generated while it is sent (`toStreamResponse`). Rejects if its first chunk cannot be generated. Generates
   * nothing for HEAD.
   */
  stream(pieces: AsyncGenerator<string, void>, headers: Readonly<Record<string, string>>): Promise<Response>;
  /** Aborted when the client has disconnected. */
  signal: AbortSignal;
  /** The peer of the connection; undefined without a socket. */
  peer: ConnectionPeer | undefined;
}

export type RouteResponse =
  | { kind: "json"; status: 200 | 201; schema: z.ZodType }
  | { kind: "empty" }
  | { kind: "raw"; mediaTypes: readonly string[] };

/** One row of the route table, the source of both the HTTP server and the OpenAPI document. */
export interface Route {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/api/tasks/:id` */
  path: string;
  summary: string;
  access: Access;
  /** The scope that an API token needs; default: that of the role, or of the method. */
  scope?: TokenScope;
  /**
   * The agent of an execution may use it, with the token of that execution. Default: only reading its own project. `to-refuse`: the handler
   * refuses it, and records that it tried.
   */
  agents?: true | "to-refuse";
  /** The handler writes the entry of the audit log. */
  auditsItself?: true;
  /** What of the body is written to the audit log; default: nothing. */
  toAudited?(body: unknown): object;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  bodyLimit: "bodyBytes" | "commandBodyBytes";
  /** The JSON file that is sent as its body, instead of `body`. The handler reads it as it arrives, and checks it. */
  upload?: z.ZodType;
  response: RouteResponse;
  /** Called with the input parsed by the schemas above. */
  handle(request: RouteRequest<unknown, unknown, unknown>): Promise<unknown>;
}

interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends Pick<Route, "method" | "path" | "summary" | "access" | "scope" | "agents" | "auditsItself" | "upload"> {
  toAudited?(body: z.output<B>): object;
  params?: P;
  query?: Q;
  body?: B;
  bodyLimit?: Route["bodyLimit"];
}

type Handler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, Result> = (
  request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>>,
) => Promise<Result>;

/** Responds with JSON: 200, or 201 if something was created. Fields that have defaults in the schema may be left out. */
export function jsonRoute<R extends z.ZodType, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  route: Input<P, Q, B> & { status?: 200 | 201; response: R; handle: Handler<P, Q, B, JsonResult<z.output<R>> | z.input<R>> },
): Route {
  const { status = 200, response, ...rest } = route;
  return { ...defaults, ...rest, response: { kind: "json", status, schema: response } };
}

/** Responds with 204. */
export function emptyRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  route: Input<P, Q, B> & { handle: Handler<P, Q, B, void> },
): Route {
  return { ...defaults, ...route, response: { kind: "empty" } };
}

/** Returns its own `Response`: a stream, a file, a cookie. */
export function rawRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  route: Input<P, Q, B> & { mediaTypes: readonly string[]; handle: Handler<P, Q, B, Response> },
): Route {
  const { mediaTypes, ...rest } = route;
  return { ...defaults, ...rest, response: { kind: "raw", mediaTypes } };
}

const defaults = { bodyLimit: "bodyBytes" } as const;
