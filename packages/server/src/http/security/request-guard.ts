import { sessionHeader } from "@skein/contracts";
import { HttpProblem } from "../http-problem.ts";
import { equalsInConstantTime } from "./constant-time.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { SessionId, Sessions } from "./sessions.ts";

/**
 * `public`: anyone on this machine. `own-page`: anyone, but from a browser only our own page. `credential`: programs with the
 * token and signed-in browsers. `token`: programs only.
 */
export type Access = "public" | "own-page" | "credential" | "token";

/** Who sent a request. */
export type Caller = { kind: "anyone" } | { kind: "program" } | { kind: "browser"; session: SessionId };

export interface RequestGuard {
  /** Before everything else, for every request. */
  checkHost(headers: Headers): void;
  /** A page of another origin gets nothing, whatever its browser adds to the request. */
  checkOrigin(headers: Headers): void;
  checkAccess(request: { method: string; headers: Headers }, access: Access): Caller;
}

export function createRequestGuard(options: {
  token: string;
  allowedHosts: () => readonly string[];
  origins: () => readonly string[];
  cookie: SessionCookie;
  sessions: Sessions;
}): RequestGuard {
  const hasToken = (headers: Headers) => {
    const bearer = bearerOf(headers);
    return bearer !== undefined && equalsInConstantTime(bearer, options.token);
  };

  /** An origin of ours counts only under its own host: to a page at `localhost`, `127.0.0.1` is another origin. */
  const isOwnOrigin = (origin: string, headers: Headers) =>
    options.origins().includes(origin) && new URL(origin).host === headers.get("host")?.toLowerCase();

  /**
   * A cookie is sent whoever made the request, and to every port of the host: it counts only when the browser says that our own
   * page made the request, and together with the secret that only our own origin can read.
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
    checkAccess(request, access) {
      if (access === "public") return { kind: "anyone" };
      if (hasToken(request.headers)) return { kind: "program" };
      const session = bearerOf(request.headers) === undefined ? findSession(request) : undefined;
      if (session !== undefined) {
        if (access !== "token") return { kind: "browser", session };
        throw new HttpProblem({ status: 403, text: { code: "token-required" } });
      }
      // its value has been checked already, for every request
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
