import type { Socket } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { toIssueText } from "@skein/contracts";
import type { ConnectionPeer } from "@skein/host";
import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { Services } from "../services/services.ts";
import { StreamedJson } from "../services/streamed-json.ts";
import type { HttpLimits } from "./http-limits.ts";
import { HttpProblem } from "./http-problem.ts";
import { toJsonResponse } from "./json-response.ts";
import type { ForwardRequest } from "./nodes/forward-request.ts";
import { readJsonBody } from "./read-json-body.ts";
import type { HttpFeatures, Route, RouteRequest } from "./route.ts";
import type { Caller, RequestGuard } from "./security/request-guard.ts";
import { toStreamResponse } from "./stream-response.ts";

/** `app.request` has no socket and therefore no bindings. */
interface HttpEnv {
  Bindings: Partial<HttpBindings>;
}
export type HttpApp = Hono<HttpEnv>;

export interface RouteEnvironment {
  services: Services;
  http: HttpFeatures;
  guard: RequestGuard;
  limits: HttpLimits;
  /** Only if several servers share the database. */
  forward?: ForwardRequest | undefined;
  /** Reports a response that could not be sent completely. */
  onBrokenAnswer(error: unknown, request: { method: string; path: string }): void;
}

/** Mounts every route, then 405 for other methods of its paths and 404 for everything else under /api. */
export function mountRoutes(app: HttpApp, routes: readonly Route[], environment: RouteEnvironment): void {
  const { guard } = environment;
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => {
      await guard.prepare({ method: c.req.method, headers: c.req.raw.headers });
      const caller = guard.checkAccess({ method: c.req.method, headers: c.req.raw.headers }, route.access);
      return answer(c, route, caller, environment);
    });
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(path, (c) => {
      guard.checkAccess({ method: c.req.method, headers: c.req.raw.headers }, "credential");
      throw new HttpProblem({
        status: 405,
        text: { code: "method-not-allowed", allowed: methods },
        headers: { allow: methods.join(", ") },
      });
    });
  }
  app.all("/api/*", (c) => {
    guard.checkAccess({ method: c.req.method, headers: c.req.raw.headers }, "credential");
    throw new HttpProblem({
      status: 404,
      text: { code: "unknown-route", path: c.req.path },
    });
  });
}

async function answer(c: Context<HttpEnv>, route: Route, caller: Caller, environment: RouteEnvironment): Promise<Response> {
  const { services, http, limits } = environment;
  const params = readParams(route, c.req.param());
  const query = read(route.query, Object.fromEntries(new URL(c.req.url).searchParams), "query");
  const isUnsafe = route.method !== "GET";
  const sent = isUnsafe ? await readJsonBody(c.req.raw, limits[route.bodyLimit]) : undefined;
  const body = read(route.body, sent, "body");
  if (environment.forward !== undefined) {
    const { pathname, search } = new URL(c.req.url);
    const request = { route, method: c.req.method, target: `${pathname}${search}`, params, query, body: sent };
    const forwarded = await environment.forward({ ...request, headers: c.req.raw.headers, signal: c.req.raw.signal });
    if (forwarded !== undefined) return forwarded;
  }
  const { outgoing } = c.env ?? {};
  const disconnect = () => void outgoing?.destroy();
  const stream: RouteRequest<unknown, unknown, unknown>["stream"] = async (pieces, headers) => {
    const { method, path } = c.req;
    if (method === "HEAD") return new Response(null, { headers });
    const response = await toStreamResponse(pieces, {
      headers,
      stalledMs: limits.stalledDownloadMs,
      longestMs: limits.longestDownloadMs,
      disconnect: outgoing === undefined ? undefined : disconnect,
      onFailure: (error) => environment.onBrokenAnswer(error, { method, path }),
    });
    // the client is gone: the HTTP library drops the body without an error
    if (outgoing?.destroyed) await response.body?.cancel();
    return response;
  };
  const result = await route.handle({
    services,
    http,
    method: c.req.method,
    headers: c.req.raw.headers,
    caller,
    params,
    query,
    body,
    disconnect,
    stream,
    get signal() {
      return c.req.raw.signal;
    },
    peer: toPeer(c.env?.incoming?.socket),
  });
  switch (route.response.kind) {
    case "json":
      if (result instanceof StreamedJson) return stream(result.pieces, { "content-type": "application/json" });
      return toJsonResponse(result, route.response.status);
    case "empty":
      return new Response(null, { status: 204 });
    case "raw":
      if (result instanceof Response) return result;
      throw new TypeError(`${route.method} ${route.path} must return a Response`);
  }
}

function toPeer(socket: Socket | undefined): ConnectionPeer | undefined {
  const { remotePort, localPort } = socket ?? {};
  return remotePort === undefined || localPort === undefined ? undefined : { remotePort, localPort };
}

/** A malformed id is treated like an unknown one. */
function readParams(route: Route, params: Record<string, string>): unknown {
  if (route.params === undefined) return undefined;
  const result = route.params.safeParse(params);
  if (result.success) return result.data;
  throw new HttpProblem({ status: 404, text: { code: "not-found", id: Object.values(params).join(", ") } });
}

function read(schema: z.ZodType | undefined, value: unknown, place: "query" | "body"): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message, text: toIssueText(issue) }));
  const first = errors[0];
  const reason = first === undefined ? {} : { reason: first.text };
  throw new HttpProblem({ status: 400, text: { code: "invalid-request", place, path: first?.path ?? "", ...reason }, errors });
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { path, method } of routes)
    byPath.set(path, [...(byPath.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  return byPath;
}
