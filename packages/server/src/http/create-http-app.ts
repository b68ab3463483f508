import { Hono } from "hono";
import type { Logger } from "../logger.ts";
import type { Services } from "../services/services.ts";
import { createEventClients } from "./events/event-clients.ts";
import { defaultHttpLimits, type HttpLimits } from "./http-limits.ts";
import { HttpProblem, internalProblem, problemResponse, toProblemInput } from "./http-problem.ts";
import { createLaunchPage } from "./launch-page.ts";
import { type HttpApp, mountRoutes } from "./mount-routes.ts";
import { routeTable } from "./routes/route-table.ts";
import { createLaunchCodes } from "./security/launch-codes.ts";
import { createRequestGuard } from "./security/request-guard.ts";
import { applySecurityHeaders } from "./security/security-headers.ts";
import { createSessionCookie } from "./security/session-cookie.ts";
import { createStaticFiles } from "./static/static-files.ts";

export interface HttpAppOptions {
  services: Services;
  /** The bearer token of the data dir. */
  token: string;
  /** Names the data dir's instance in the cookie's name; the same after a restart. */
  instanceId: string;
  /** Host headers that are answered, each with its port: `127.0.0.1:4180`. Asked at every request: the port may come late. */
  allowedHosts: () => readonly string[];
  /** Origins of our own pages; launch links lead to the first. */
  origins: () => readonly string[];
  /** True where browsers come by https. */
  secureCookie: boolean;
  webRoot: string | null;
  version: string;
  logger: Logger;
  limits?: Partial<HttpLimits>;
  now?: () => number;
}

export interface SkeinHttp {
  app: HttpApp;
  limits: HttpLimits;
  /** Our first origin with a fresh single-use launch code. */
  createLaunchUrl(): string;
  /** Ends every event stream. */
  endStreams(): void;
}

export function createHttpApp(options: HttpAppOptions): SkeinHttp {
  const { services, token, instanceId, logger, now = Date.now } = options;
  const limits = { ...defaultHttpLimits, ...options.limits };
  const origin = () => options.origins()[0] ?? "http://localhost";
  const codes = createLaunchCodes({ now });
  const cookie = createSessionCookie({ token, instanceId, origin, secure: options.secureCookie, now });
  const guard = createRequestGuard({ token, allowedHosts: options.allowedHosts, origins: options.origins, cookie });
  const clients = createEventClients({ services, limits, logger });
  const createLaunchUrl = () => new URL(`/launch?code=${codes.create()}`, origin()).href;
  const serveFile = createStaticFiles(options.webRoot);

  const app: HttpApp = new Hono();
  app.use("*", async (c, next) => {
    await next();
    applySecurityHeaders(c.res.headers);
    if (c.req.path.startsWith("/api")) c.res.headers.set("cache-control", "no-store");
  });
  app.use("*", async (c, next) => {
    guard.checkHost(c.req.raw.headers);
    if (c.req.method === "OPTIONS") throw methodNotAllowed(c.req.method);
    guard.checkOrigin(c.req.raw.headers);
    await next();
  });
  mountRoutes(app, routeTable, {
    services,
    guard,
    limits,
    http: {
      createLaunchUrl,
      clearSession: cookie.clear,
      openEventStream: clients.open,
      // the document is seldom asked for, and making it would slow every start
      describeApi: async () => (await import("./openapi.ts")).describeApi(routeTable, options.version),
    },
  });
  app.get("/launch", createLaunchPage(codes, cookie));
  app.get("*", serveFile);
  app.all("*", (c) => {
    throw methodNotAllowed(c.req.method);
  });
  app.onError((error, c) => {
    const problem = toProblemInput(error);
    if (problem === undefined) logger.error("a request failed", { error, method: c.req.method, path: c.req.path });
    return problemResponse(problem ?? internalProblem);
  });
  return { app, limits, createLaunchUrl, endStreams: clients.endAll };
}

/** There is no CORS here: a preflight gets the same plain refusal as any other method. */
function methodNotAllowed(method: string): HttpProblem {
  return new HttpProblem({
    status: 405,
    code: "method-not-allowed",
    detail: `${method} is not possible here.`,
    headers: { allow: "GET, HEAD" },
  });
}
