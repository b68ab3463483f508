import type { Server } from "node:http";
import { ServiceError } from "@skein/engine";
import type { ConnectionPeer } from "@skein/host";
import { Hono } from "hono";
import { isApiToken } from "../browser-secret.ts";
import type { Logger } from "../logger.ts";
import type { Services } from "../services/services.ts";
import type { TeamService } from "../team/team-service.ts";
import type { TokenAccess } from "../team/token-access.ts";
import { acceptUpgrades } from "./accept-upgrades.ts";
import { createEventClients } from "./events/event-clients.ts";
import { defaultHttpLimits, type HttpLimits } from "./http-limits.ts";
import { HttpProblem, internalProblem, problemResponse, storageProblem, toProblemInput } from "./http-problem.ts";
import { type HttpApp, mountRoutes } from "./mount-routes.ts";
import type { ForwardRequest } from "./nodes/forward-request.ts";
import { routeTable } from "./routes/route-table.ts";
import type { Caller } from "./security/access.ts";
import { createFlowCookie } from "./security/flow-cookie.ts";
import { createLaunchLinks } from "./security/launch-links.ts";
import { createRequestGuard } from "./security/request-guard.ts";
import { applySecurityHeaders } from "./security/security-headers.ts";
import { createSessionCookie } from "./security/session-cookie.ts";
import { createSessions, type SessionStore, sessionLifetimeMs } from "./security/sessions.ts";
import { createStaticFiles } from "./static/static-files.ts";

export interface HttpAppOptions {
  services: Services;
  /** The bearer token of the data dir. */
  token: string;
  /** Part of the cookie's name; identifies the data dir, stable across restarts. */
  instanceId: string;
  /** Accepted Host headers, with port: `127.0.0.1:4180`. Read at every request, because the port may be known late. */
  allowedHosts: () => readonly string[];
  /** Origins of the web UI; launch links use the first. */
  origins: () => readonly string[];
  /** True if browsers connect by https. */
  secureCookie: boolean;
  /** Only if several servers share the database. */
  nodes?: {
    /** A secret that they share: sent between them, and the key of browser sessions. */
    secret: string;
    forward: ForwardRequest;
    /** Redeems a launch code that another of them has made. */
    redeem(code: string): Promise<boolean>;
  };
  /** Browser sessions, which survive a restart. */
  sessionStore: SessionStore;
  /** Users, in team mode. */
  team?: TeamService | undefined;
  /** API tokens on a server without users; called with the first one. */
  loadTokens: () => Promise<TokenAccess>;
  /** Whether a process of a running agent is at the other end of a connection. */
  isAgent: (peer: ConnectionPeer) => Promise<boolean>;
  /** Whether a proxy reports the address of the client. */
  behindProxy?: boolean;
  /** A 0700 folder for files that redirect a browser to a launch link; created when the first is needed. */
  launchFolder: () => string;
  webRoot: string | null;
  version: string;
  /** Only if metrics are on. */
  renderMetrics?: ((state: { eventClients: number }) => Promise<string>) | undefined;
  logger: Logger;
  limits?: Partial<HttpLimits>;
  now?: () => number;
}

export interface SkeinHttp {
  app: HttpApp;
  /** Lets workers open WebSockets on a server. */
  acceptUpgrades(server: Server): void;
  limits: HttpLimits;
  /** A single-use link that signs a browser in, at our first origin. */
  createLaunchUrl(): string;
  /** Creates a 0600 HTML file that redirects to such a link, and returns its path. */
  createLaunchFile(): string;
  /** Ends every event stream and removes the launch files. */
  close(): void;
}

export function createHttpApp(options: HttpAppOptions): SkeinHttp {
  const { services, token, team, logger, renderMetrics, now = Date.now } = options;
  // several servers with the same users are behind one address
  const instanceId = team === undefined ? options.instanceId : "team";
  const limits = { ...defaultHttpLimits, ...options.limits };
  const origin = () => options.origins()[0] ?? "http://localhost";
  const links = createLaunchLinks({ origin, folder: options.launchFolder, now });
  const cookie = createSessionCookie({ instanceId, origin, secure: options.secureCookie });
  const sessions = createSessions({ key: options.nodes?.secret ?? token, store: options.sessionStore, now });
  let loading: Promise<TokenAccess> | undefined;
  const loadTokens = (): Promise<TokenAccess> => {
    loading ??= options.loadTokens();
    return loading;
  };
  const tokens = async (): Promise<TokenAccess> =>
    team === undefined ? loadTokens() : { ...team, byToken: team.identify.byToken, isOpen: team.identify.isOpen };
  const authenticator =
    team === undefined
      ? {
          async bySession(given: Parameters<typeof sessions.find>[0]): Promise<Caller | undefined> {
            let session = sessions.find(given);
            if (session === undefined && sessions.refresh !== undefined) {
              await sessions.refresh();
              session = sessions.find(given);
            }
            return session === undefined ? undefined : { kind: "browser", session };
          },
          byToken: async (token: string) => (isApiToken(token) ? (await loadTokens()).byToken(token) : undefined),
        }
      : team.identify;
  const guard = createRequestGuard({
    ...{ token, allowedHosts: options.allowedHosts, origins: options.origins, cookie, authenticator },
    nodeSecret: options.nodes?.secret,
  });
  const clients = createEventClients({
    services,
    limits,
    logger,
    now,
    hasUsers: team !== undefined,
    isSessionOpen: sessions.isOpen,
    isTokenOpen: async (token) => (await tokens()).isOpen(token),
  });
  const serveFile = createStaticFiles(options.webRoot);
  const endSession = (caller: Caller) => {
    if (caller.kind === "browser") sessions.end(caller.session);
  };

  let apiDescription: Promise<Record<string, unknown>> | undefined;
  const app: HttpApp = new Hono();
  app.use("*", async (c, next) => {
    await next();
    applySecurityHeaders(c.res.headers);
    if (c.req.path.startsWith("/api")) c.res.headers.set("cache-control", "no-store");
  });
  app.use("*", async (c, next) => {
    guard.checkHost(c.req.raw.headers);
    if (c.req.method === "OPTIONS") throw methodNotAllowed();
    guard.checkOrigin(c.req.raw.headers);
    await next();
  });
  mountRoutes(app, routeTable, {
    services,
    guard,
    team,
    tokens,
    fetch: (request, bindings) => app.fetch(request, bindings),
    isAgent: options.isAgent,
    behindProxy: options.behindProxy ?? false,
    limits,
    forward: options.nodes?.forward,
    onBrokenAnswer: (error, request) => logger.error("an answer was cut off", { error, ...request }),
    http: {
      origin,
      createLaunchUrl: links.createUrl,
      createLaunchFile: links.createFile,
      redeem: links.redeem,
      async signIn(code, caller) {
        if (!links.redeem(code) && !(await options.nodes?.redeem(code))) return undefined;
        endSession(caller);
        const { cookie: value, secret, expiresAt } = sessions.create();
        clients.endSignedOut();
        return { session: { secret, expiresAt }, setCookie: cookie.set(value, sessionLifetimeMs) };
      },
      cookies: { session: cookie.set, flow: createFlowCookie({ name: () => `${cookie.name()}_flow`, secure: options.secureCookie }) },
      async signOut(caller, { everywhere }) {
        if (caller.kind === "user") await team?.signIns.end(caller, { everywhere });
        else if (everywhere) sessions.endAll();
        else endSession(caller);
        clients.endSignedOut();
        return cookie.clear();
      },
      openEventStream: clients.open,
      renderMetrics: renderMetrics && (() => renderMetrics({ eventClients: clients.count() })),
      // generated on request, once: it is rarely needed, and takes as long as a start
      describeApi: () => (apiDescription ??= import("./openapi.ts").then(({ describeApi }) => describeApi(routeTable, options.version))),
    },
  });
  app.get("*", serveFile);
  app.all("*", () => {
    throw methodNotAllowed();
  });
  app.onError(async (error, c) => {
    const known = toProblemInput(error);
    // a service's own error text is used only if there is no machine fault
    const fault = known === undefined || error instanceof ServiceError ? await services.explainFault(error) : undefined;
    if (fault !== undefined || known === undefined) logger.error("a request failed", { error, method: c.req.method, path: c.req.path });
    return problemResponse(fault === undefined ? (known ?? internalProblem) : storageProblem(fault));
  });
  const close = () => {
    clients.endAll();
    links.close();
  };
  return {
    acceptUpgrades: (server) => acceptUpgrades(server, { guard, services, logger }),
    app,
    limits,
    createLaunchUrl: links.createUrl,
    createLaunchFile: links.createFile,
    close,
  };
}

/** No CORS: a preflight is rejected like any other unsupported method. */
function methodNotAllowed(): HttpProblem {
  return new HttpProblem({
    status: 405,
    text: { code: "method-not-allowed", allowed: ["GET", "HEAD"] },
    headers: { allow: "GET, HEAD" },
  });
}
