import type { Socket } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { ConnectionPeer } from "../runner/find-peer-execution.ts";
import type { Services } from "../services/services.ts";
import type { HttpLimits } from "./http-limits.ts";
import { HttpProblem } from "./http-problem.ts";
import { toJsonResponse } from "./json-response.ts";
import { readJsonBody } from "./read-json-body.ts";
import type { HttpFeatures, Route } from "./route.ts";
import type { Caller, RequestGuard } from "./security/request-guard.ts";

/** Bindings are there when a socket is; `app.request` has none. */
interface HttpEnv {
  Bindings: Partial<HttpBindings>;
}
export type HttpApp = Hono<HttpEnv>;

export interface RouteEnvironment {
  services: Services;
  http: HttpFeatures;
  guard: RequestGuard;
  limits: HttpLimits;
}

/** Every row of the table, then 405 for its paths with other methods and 404 for everything else under /api. */
export function mountRoutes(app: HttpApp, routes: readonly Route[], environment: RouteEnvironment): void {
  const { guard } = environment;
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => {
      const caller = guard.checkAccess({ method: c.req.method, headers: c.req.raw.headers }, route.access);
      return answer(c, route, caller, environment);
    });
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(path, (c) => {
      guard.checkAccess({ method: c.req.method, headers: c.req.raw.headers }, "credential");
      throw new HttpProblem({
        status: 405,
        code: "method-not-allowed",
        detail: `Method not allowed: ${c.req.method}. Allowed: ${methods.join(", ")}.`,
        headers: { allow: methods.join(", ") },
      });
    });
  }
  app.all("/api/*", (c) => {
    guard.checkAccess({ method: c.req.method, headers: c.req.raw.headers }, "credential");
    throw new HttpProblem({
      status: 404,
      code: "unknown-route",
      detail: `There is no ${c.req.path}. The routes are described in /api/openapi.json.`,
    });
  });
}

async function answer(c: Context<HttpEnv>, route: Route, caller: Caller, { services, http, limits }: RouteEnvironment): Promise<Response> {
  const params = readParams(route, c.req.param());
  const query = read(route.query, Object.fromEntries(new URL(c.req.url).searchParams), "query");
  const isUnsafe = route.method !== "GET";
  const sent = isUnsafe ? await readJsonBody(c.req.raw, limits[route.bodyLimit]) : undefined;
  const body = read(route.body, sent, "body");
  const disconnect = () => c.env?.outgoing?.destroy();
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
    peer: toPeer(c.env?.incoming?.socket),
  });
  switch (route.response.kind) {
    case "json":
      return toJsonResponse(result, route.response.status);
    case "empty":
      return new Response(null, { status: 204 });
    case "raw":
      if (result instanceof Response) return result;
      throw new TypeError(`${route.method} ${route.path} must answer with a Response`);
  }
}

function toPeer(socket: Socket | undefined): ConnectionPeer | undefined {
  const { remotePort, localPort } = socket ?? {};
  return remotePort === undefined || localPort === undefined ? undefined : { remotePort, localPort };
}

/** An id that cannot exist is an id that is not there. */
function readParams(route: Route, params: Record<string, string>): unknown {
  if (route.params === undefined) return undefined;
  const result = route.params.safeParse(params);
  if (result.success) return result.data;
  throw new HttpProblem({ status: 404, code: "not-found", detail: `Nothing has the id ${Object.values(params).join(", ")}.` });
}

function read(schema: z.ZodType | undefined, value: unknown, place: "query" | "body"): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const first = errors[0];
  const where = first === undefined || first.path === "" ? `The ${place}` : `${first.path} (${place})`;
  throw new HttpProblem({ status: 400, code: "invalid-request", detail: `${where}: ${first?.message ?? "is not valid"}`, errors });
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { path, method } of routes)
    byPath.set(path, [...(byPath.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  return byPath;
}
