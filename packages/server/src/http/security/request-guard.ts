import { sessionHeader } from "@skein/contracts";
import { HttpProblem } from "../http-problem.ts";
import { equalsInConstantTime } from "./constant-time.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { SessionId, Sessions } from "./sessions.ts";

/**
 * `public`: no credentials. `own-page`: requests of our own origin, with or without a session, and programs with the token.
 * `credential`: programs with the token and signed-in browsers. `token`: programs with the token only. `node`: servers that share the
 * database.
 */
export type Access = "public" | "own-page" | "credential" | "token" | "node";

/** The sender of a request. */
export type Caller = { kind: "anyone" } | { kind: "program" } | { kind: "browser"; session: SessionId };

export interface RequestGuard {
  /** Called first, for every request. */
  checkHost(headers: Headers): void;
  /** Rejects other origins, unless the request has the token. */
  checkOrigin(headers: Headers): void;
  /** Call it before `checkAccess`: a browser may have signed in at another server that shares the sessions. */
  prepare(request: { method: string; headers: Headers }): Promise<void>;
  checkAccess(request: { method: string; headers: Headers }, access: Access): Caller;
}

export function createRequestGuard(options: {
  token: string;
  /** Servers that share the database send it. */
  nodeSecret?: string | undefined;
  allowedHosts: () => readonly string[];
  origins: () => readonly string[];
  cookie: SessionCookie;
  sessions: Sessions;
}): RequestGuard {
  const hasToken = (headers: Headers) => {
    const bearer = bearerOf(headers);
    return bearer !== undefined && equalsInConstantTime(bearer, options.token);
  };

  const isNode = (headers: Headers) => {
    const [bearer, secret] = [bearerOf(headers), options.nodeSecret];
    return bearer !== undefined && secret !== undefined && equalsInConstantTime(bearer, secret);
  };

  /** An origin is ours only under its own host: to a page at `localhost`, `127.0.0.1` is another origin. */
  const isOwnOrigin = (origin: string, headers: Headers) =>
    options.origins().includes(origin) && new URL(origin).host === headers.get("host")?.toLowerCase();

  /**
   * Browsers send a cookie with every page's requests, and to every port of the host. It counts only if the browser reports our own
   * origin, and together with the secret that only our origin can read.
   */
  const findSession = ({ method, headers }: { method: string; headers: Headers }): SessionId | undefined => {
    const origin = headers.get("origin");
    const isRead = method === "GET" || method === "HEAD";
    const isOurs = origin === null ? isRead && headers.get("sec-fetch-site") === "same-origin" : isOwnOrigin(origin, headers);
    const secret = headers.get(sessionHeader);
    if (!isOurs || secret === null) return undefined;
    return options.sessions.find({ cookies: options.cookie.read(headers.get("cookie") ?? undefined), secret });
  };

  return {
    async prepare(request) {
      if (options.sessions.refresh === undefined || !request.headers.has(sessionHeader)) return;
      if (findSession(request) === undefined) await options.sessions.refresh();
    },
    checkHost(headers) {
      const host = headers.get("host")?.toLowerCase();
      if (host !== undefined && options.allowedHosts().includes(host)) return;
      throw new HttpProblem({ status: 403, text: { code: "host-not-allowed" } });
    },
    checkOrigin(headers) {
      const origin = headers.get("origin");
      if (origin === null || isOwnOrigin(origin, headers) || hasToken(headers) || isNode(headers)) return;
      throw new HttpProblem({ status: 403, text: { code: "origin-not-allowed", isOwn: options.origins().includes(origin) } });
    },
    checkAccess(request, access) {
      if (access === "public") return { kind: "anyone" };
      if (isNode(request.headers)) return { kind: "program" };
      if (hasToken(request.headers) && access !== "node") return { kind: "program" };
      const session = bearerOf(request.headers) === undefined ? findSession(request) : undefined;
      if (session !== undefined) {
        if (access !== "token" && access !== "node") return { kind: "browser", session };
        throw new HttpProblem({ status: 403, text: { code: "token-required" } });
      }
      // its value was already checked
      if (access === "own-page" && request.headers.has("origin")) return { kind: "anyone" };
      throw new HttpProblem({
        status: 401,
        text: { code: "unauthorized" },
        headers: { "www-authenticate": "Bearer" },
      });
    },
  };
}

function bearerOf(headers: Headers): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}
