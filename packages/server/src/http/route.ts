import type { MergeMode, Session, TaskId } from "@skein/contracts";
import type { ConnectionPeer } from "@skein/host";
import type { z } from "zod";
import type { Services } from "../services/services.ts";
import type { JsonResult } from "./json-response.ts";
import type { Access, Caller } from "./security/request-guard.ts";

/** What the HTTP layer itself offers to its routes, in addition to the services. */
export interface HttpFeatures {
  createLaunchUrl(): string;
  /** The path of a 0600 HTML file that redirects to a launch link. */
  createLaunchFile(): string;
  /** Redeems a launch code; undefined when it is not valid. The caller's own session, if there is one, ends. */
  signIn(code: string, caller: Caller): { session: Session; setCookie: string } | undefined;
  /** Ends the caller's session, or those of all browsers. Returns the `Set-Cookie` value that removes the cookie. */
  signOut(caller: Caller, options: { everywhere: boolean }): string;
  openEventStream(input: EventStreamInput): Response;
  describeApi(): Promise<unknown>;
}

export interface EventStreamInput {
  /** The last sequence number that the client has; undefined: from now on. */
  after: number | undefined;
  taskId: TaskId | undefined;
  /** A message that was shown before it was committed is then told by its id alone. */
  shortRepeats: boolean;
  /** How tool uses and results are shown. */
  mergeMode: MergeMode;
  /** The stream of a browser ends with its session. */
  caller: Caller;
  /** Cuts the connection, also when its client does not read. */
  disconnect: () => void;
}

export interface RouteRequest<Params, Query, Body> {
  services: Services;
  http: HttpFeatures;
  method: string;
  headers: Headers;
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  disconnect: () => void;
  /**
   * A response whose body is made while it is sent (`toStreamResponse`). Rejects when its beginning cannot be made. For HEAD nothing
   * is made.
   */
  stream(pieces: AsyncGenerator<string, void>, headers: Readonly<Record<string, string>>): Promise<Response>;
  /** Aborted when the client does not wait for the answer any more. */
  signal: AbortSignal;
  /** Where the request came from; undefined without a socket. */
  peer: ConnectionPeer | undefined;
}

export type RouteResponse =
  | { kind: "json"; status: 200 | 201; schema: z.ZodType }
  | { kind: "empty" }
  | { kind: "raw"; mediaTypes: readonly string[] };

/** One row of the route table: the HTTP server and the OpenAPI document are both made from it. */
export interface Route {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/api/tasks/:id` */
  path: string;
  summary: string;
  access: Access;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  bodyLimit: "bodyBytes" | "commandBodyBytes";
  response: RouteResponse;
  /** Called with what the schemas above have read. */
  handle(request: RouteRequest<unknown, unknown, unknown>): Promise<unknown>;
}

interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  method: Route["method"];
  path: string;
  summary: string;
  access?: Access;
  params?: P;
  query?: Q;
  body?: B;
  bodyLimit?: Route["bodyLimit"];
}

type Handler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, Result> = (
  request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>>,
) => Promise<Result>;

/** Answers with JSON: 200, or 201 for something created. */
export function jsonRoute<R extends z.ZodType, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  route: Input<P, Q, B> & { status?: 200 | 201; response: R; handle: Handler<P, Q, B, JsonResult<z.output<R>>> },
): Route {
  const { status = 200, response, ...rest } = route;
  return { ...defaults, ...rest, response: { kind: "json", status, schema: response } };
}

/** Answers with 204. */
export function emptyRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  route: Input<P, Q, B> & { handle: Handler<P, Q, B, void> },
): Route {
  return { ...defaults, ...route, response: { kind: "empty" } };
}

/** Makes its own `Response`: a stream, a file, a cookie. */
export function rawRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  route: Input<P, Q, B> & { mediaTypes: readonly string[]; handle: Handler<P, Q, B, Response> },
): Route {
  const { mediaTypes, ...rest } = route;
  return { ...defaults, ...rest, response: { kind: "raw", mediaTypes } };
}

const defaults = { access: "credential", bodyLimit: "bodyBytes" } as const;
