import type { Socket } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { type JsonValue, jsonValueSchema, sessionHeader, toIssueText } from "@skein/contracts";
import { formatText } from "@skein/engine";
import type { ConnectionPeer } from "@skein/host";
import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { Services } from "../services/services.ts";
import { StreamedJson } from "../services/streamed-json.ts";
import type { AuditRecord } from "../team/audit.ts";
import type { Origin } from "../team/sessions.ts";
import type { TeamService } from "../team/team-service.ts";
import type { TokenAccess } from "../team/token-access.ts";
import type { HttpLimits } from "./http-limits.ts";
import { HttpProblem } from "./http-problem.ts";
import { toJsonResponse } from "./json-response.ts";
import type { ForwardRequest } from "./nodes/forward-request.ts";
import { clientAddressHeader } from "./nodes/hop-headers.ts";
import { readJsonBody, readUpload } from "./read-json-body.ts";
import type { HttpFeatures, Route, RouteRequest } from "./route.ts";
import type { Caller } from "./security/access.ts";
import { type Authorized, authorize, authorizeCaller } from "./security/authorize.ts";
import type { RequestGuard } from "./security/request-guard.ts";
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
  /** Undefined without team mode. */
  team: TeamService | undefined;
  /** API tokens; loaded with the first one. */
  tokens: () => Promise<TokenAccess>;
  /** Sends a request to this app. */
  fetch(request: Request, peer: HttpEnv["Bindings"]): Response | Promise<Response>;
  /** Whether a process of a running agent is at the other end of a connection. */
  isAgent(peer: ConnectionPeer): Promise<boolean>;
  /** Whether a proxy reports the address of the client. */
  behindProxy: boolean;
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
      const caller = await guard.checkAccess({ method: c.req.method, headers: c.req.raw.headers }, route.access);
      if (environment.team !== undefined || caller.kind === "token") return answerChecked(c, route, caller, environment);
      return answer(c, route, caller, environment);
    });
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(path, async (c) => {
      await guard.checkAccess({ method: c.req.method, headers: c.req.raw.headers }, "signed-in");
      throw new HttpProblem({
        status: 405,
        text: { code: "method-not-allowed", allowed: methods },
        headers: { allow: methods.join(", ") },
      });
    });
  }
  app.all("/api/*", async (c) => {
    await guard.checkAccess({ method: c.req.method, headers: c.req.raw.headers }, "signed-in");
    throw new HttpProblem({
      status: 404,
      text: { code: "unknown-route", path: c.req.path },
    });
  });
}

/** Headers that identify a caller, for a request that the server sends to itself for the same caller. */
const passedOn = ["host", "authorization", "cookie", sessionHeader, "origin", "sec-fetch-site", "x-forwarded-for", "user-agent"];

type Checked = Pick<RouteRequest<unknown, unknown, unknown>, "params" | "query" | "body">;

/** Calls the handler. `check` decides about the parsed request, and returns the services for it. */
async function answer(
  c: Context<HttpEnv>,
  route: Route,
  caller: Caller,
  environment: RouteEnvironment,
  check?: (request: Checked) => Promise<Services>,
  onForwarded?: () => void,
): Promise<Response> {
  const { http, limits } = environment;
  const params = readParams(route, c.req.param());
  const query = read(route.query, Object.fromEntries(new URL(c.req.url).searchParams), "query");
  const isUnsafe = route.method !== "GET";
  const sent = isUnsafe && route.upload === undefined ? await readJsonBody(c.req.raw, limits[route.bodyLimit]) : undefined;
  const body = read(route.body, sent, "body");
  const services = check === undefined ? environment.services : await check({ params, query, body });
  const { headers } = c.req.raw;
  if (environment.forward !== undefined && !environment.guard.isForwarded(headers)) {
    const { pathname, search } = new URL(c.req.url);
    const request = { route, method: c.req.method, target: `${pathname}${search}`, params, query, body: sent };
    const { address } = toOrigin(c, environment);
    const forwarded = await environment.forward({
      ...{ ...request, caller, address, headers, cookies: environment.guard.readCookies(headers) },
      signal: c.req.raw.signal,
    });
    if (forwarded !== undefined) {
      onForwarded?.();
      return forwarded;
    }
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
    get team() {
      if (environment.team !== undefined) return environment.team;
      throw new HttpProblem({ status: 404, text: { code: "team-mode-off" } });
    },
    maybeTeam: environment.team,
    tokens: async () => environment.team?.tokens ?? (await environment.tokens()).tokens,
    callSelf: async (path, init = {}) => {
      const own = new Headers(init.headers);
      for (const name of passedOn) {
        const value = headers.get(name);
        if (value !== null) own.set(name, value);
      }
      const { incoming } = c.env ?? {};
      return environment.fetch(
        new Request(new URL(path, c.req.url), { ...init, headers: own }),
        incoming === undefined ? {} : { incoming },
      );
    },
    refuseAgents: async () => {
      const peer = toPeer(c.env?.incoming?.socket);
      if (peer !== undefined && (await environment.isAgent(peer))) throw new HttpProblem({ status: 403, text: { code: "not-for-agents" } });
    },
    from: toOrigin(c, environment),
    get url() {
      return new URL(c.req.url);
    },
    method: c.req.method,
    headers: c.req.raw.headers,
    caller,
    params,
    query,
    body,
    upload: readUpload(c.req.raw, limits.uploadBytes),
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

/** Checks what a user or a token may do; with users, also records what was done or refused. */
async function answerChecked(c: Context<HttpEnv>, route: Route, caller: Caller, environment: RouteEnvironment): Promise<Response> {
  const { team, services } = environment;
  const tokens = await environment.tokens();
  let authorized: Authorized | undefined;
  let named: string[] = [];
  let details: JsonValue | undefined;
  let isForwarded = false;
  const toEntry = (outcome: AuditRecord["outcome"]): AuditRecord => {
    const { projectId } = authorized ?? {};
    return {
      ...toAuditCaller(caller),
      action: `${route.method} ${route.path}`,
      outcome,
      ...(projectId === undefined ? {} : { projectId }),
      subjects: [...new Set([...named, ...(authorized?.ids ?? [])])],
      ...(details === undefined ? {} : { details }),
      address: toOrigin(c, environment).address,
    };
  };
  const record = async (outcome: "refused" | "failed") => {
    if (route.method === "GET" ? outcome === "refused" : route.auditsItself !== true) await team?.audit.append(toEntry(outcome));
  };
  try {
    named = Object.values(c.req.param()).filter((value) => typeof value === "string");
    authorizeCaller(route, caller);
    const check = async (request: Checked) => {
      if (route.toAudited !== undefined) details = jsonValueSchema.parse(JSON.parse(JSON.stringify(route.toAudited(request.body))));
      authorized = await authorize(route, caller, request, { tokens, services });
      return authorized.services;
    };
    const run = () =>
      answer(c, route, caller, environment, check, () => {
        isForwarded = true;
      });
    if (team === undefined || route.method === "GET" || route.auditsItself === true) return await run();
    // if it was forwarded, the server that did it has recorded it
    return await team.audit.alongside(() => toEntry("done"), run, { isNeeded: () => !isForwarded });
  } catch (error) {
    const isRefused = error instanceof HttpProblem && error.problem.status === 403;
    if (isRefused || authorized !== undefined) await record(isRefused ? "refused" : "failed");
    throw error;
  }
}

function toAuditCaller(caller: Caller): Pick<AuditRecord, "caller" | "by" | "tokenId"> {
  if (caller.kind === "user") {
    const { user, credential } = caller;
    const by = { id: user.id, name: user.name };
    return { caller: "user", by, ...(credential.kind === "token" ? { tokenId: credential.id } : {}) };
  }
  const tokenId = caller.kind === "token" ? { tokenId: caller.token.id } : {};
  return { caller: caller.kind === "anyone" ? "anyone" : "instance", ...tokenId };
}

/** A proxy appends the address that it saw: the last one is the only one that it vouches for. */
function toOrigin(c: Context<HttpEnv>, { behindProxy, guard }: Pick<RouteEnvironment, "behindProxy" | "guard">): Origin {
  const reported = guard.isForwarded(c.req.raw.headers) ? c.req.header(clientAddressHeader) : undefined;
  const forwarded = reported ?? (behindProxy ? c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined);
  const address = forwarded || c.env?.incoming?.socket?.remoteAddress || "unknown";
  return { address: address.slice(0, 100), userAgent: c.req.header("user-agent") ?? "" };
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
  const errors = result.error.issues.map((issue) => {
    const text = toIssueText(issue);
    return { path: issue.path.join("."), message: formatText(text), text };
  });
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
