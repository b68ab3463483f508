import { sessionHeader } from "@skein/contracts";
import { nodeHeader } from "../../nodes/node-header.ts";
import { HttpProblem } from "../http-problem.ts";
import { cookiesHeader, forwardedHeader } from "../nodes/hop-headers.ts";
import type { Access, Caller } from "./access.ts";
import { equalsInConstantTime } from "./constant-time.ts";
import type { SessionCookie } from "./session-cookie.ts";

export interface RequestGuard {
  /** Called first, for every request. */
  checkHost(headers: Headers): void;
  /** Rejects other origins, unless the request has the token. */
  checkOrigin(headers: Headers): void;
  /** Whether another server that shares the database has forwarded it, after its own checks. */
  isForwarded(headers: Headers): boolean;
  /** The values of the session cookie. */
  readCookies(headers: Headers): string[];
  /** Finds out who sends a request. What a user may do is decided by `authorize`. */
  checkAccess(request: { method: string; headers: Headers }, access: Access): Promise<Caller>;
}

/** Finds the sender of a request by what it carries. */
export interface Authenticator {
  bySession(given: { cookies: readonly string[]; secret: string }): Caller | undefined | Promise<Caller | undefined>;
  /** For tokens other than that of the data dir. */
  byToken?(token: string): Promise<Caller | undefined>;
}

export function createRequestGuard(options: {
  token: string;
  /** Servers that share the database send it to each other. */
  nodeSecret?: string | undefined;
  allowedHosts: () => readonly string[];
  origins: () => readonly string[];
  cookie: SessionCookie;
  authenticator: Authenticator;
}): RequestGuard {
  const { authenticator } = options;
  const hasToken = (headers: Headers) => {
    const bearer = bearerOf(headers);
    return bearer !== undefined && equalsInConstantTime(bearer, options.token);
  };

  const isNode = (headers: Headers) => {
    const [given, secret] = [headers.get(nodeHeader), options.nodeSecret];
    return given !== null && secret !== undefined && equalsInConstantTime(given, secret);
  };

  /** An origin is ours only under its own host: to a page at `localhost`, `127.0.0.1` is another origin. */
  const isOwnOrigin = (origin: string, headers: Headers) =>
    options.origins().includes(origin) && new URL(origin).host === headers.get("host")?.toLowerCase();

  const readCookies = (headers: Headers): string[] => {
    const passed = isNode(headers) ? headers.get(cookiesHeader) : null;
    return passed === null ? options.cookie.read(headers.get("cookie") ?? undefined) : passed.split(";");
  };

  /**
   * Browsers send a cookie with every page's requests, and to every port of the host. It counts only if the browser reports our own
   * origin, and together with the secret that only our origin can read.
   */
  const findSession = async ({ method, headers }: { method: string; headers: Headers }): Promise<Caller | undefined> => {
    const origin = headers.get("origin");
    const isRead = method === "GET" || method === "HEAD";
    const isOurs = origin === null ? isRead && headers.get("sec-fetch-site") === "same-origin" : isOwnOrigin(origin, headers);
    const secret = headers.get(sessionHeader);
    // the server that forwards a request has checked its origin
    if (!(isOurs || isNode(headers)) || secret === null) return undefined;
    return authenticator.bySession({ cookies: readCookies(headers), secret });
  };

  return {
    checkHost(headers) {
      const host = headers.get("host")?.toLowerCase();
      if (host !== undefined && options.allowedHosts().includes(host)) return;
      throw new HttpProblem({ status: 403, text: { code: "host-not-allowed" } });
    },
    checkOrigin(headers) {
      const origin = headers.get("origin");
      if (origin === null || isOwnOrigin(origin, headers) || hasToken(headers)) return;
      throw new HttpProblem({ status: 403, text: { code: "origin-not-allowed", isOwn: options.origins().includes(origin) } });
    },
    readCookies,
    isForwarded: (headers) => isNode(headers) && headers.has(forwardedHeader),
    async checkAccess(request, access) {
      if (access === "public") return { kind: "anyone" };
      if (access === "node") {
        // a request that is forwarded for somebody is not one of the server itself
        if (isNode(request.headers) && !request.headers.has(forwardedHeader)) return { kind: "program" };
        throw unauthorized();
      }
      if (isNode(request.headers) && request.headers.get(forwardedHeader) === "instance") return { kind: "program" };
      if (hasToken(request.headers)) return { kind: "program" };
      const bearer = bearerOf(request.headers);
      const caller = bearer === undefined ? await findSession(request) : await authenticator.byToken?.(bearer);
      if (caller !== undefined) {
        if (access !== "token") return caller;
        throw new HttpProblem({ status: 403, text: { code: "token-required" } });
      }
      // its value was already checked
      if (access === "own-page" && request.headers.has("origin")) return { kind: "anyone" };
      throw unauthorized();
    },
  };
}

function unauthorized(): HttpProblem {
  return new HttpProblem({ status: 401, text: { code: "unauthorized" }, headers: { "www-authenticate": "Bearer" } });
}

function bearerOf(headers: Headers): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}
