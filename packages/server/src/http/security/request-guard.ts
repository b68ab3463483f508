import { HttpProblem } from "../http-problem.ts";
import { equalsInConstantTime } from "./constant-time.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** `public`: anyone on this machine. `token`: programs only. */
export type Access = "public" | "credential" | "token";

export interface RequestGuard {
  /** Before everything else, for every request. */
  checkHost(headers: Headers): void;
  /** A page of another origin gets nothing, whatever cookie its browser adds. */
  checkOrigin(headers: Headers): void;
  checkAccess(request: { method: string; headers: Headers }, access: Access): void;
}

export function createRequestGuard(options: {
  token: string;
  allowedHosts: () => readonly string[];
  origins: () => readonly string[];
  cookie: SessionCookie;
}): RequestGuard {
  const hasToken = (headers: Headers) => {
    const bearer = bearerOf(headers);
    return bearer !== undefined && equalsInConstantTime(bearer, options.token);
  };

  /** A cookie is sent whoever made the request: it counts only when the browser says that our own page did. */
  const hasSession = ({ method, headers }: { method: string; headers: Headers }) => {
    const origin = headers.get("origin");
    const isRead = method === "GET" || method === "HEAD";
    const isOurs = origin === null ? isRead && headers.get("sec-fetch-site") === "same-origin" : options.origins().includes(origin);
    return isOurs && options.cookie.isValid(headers.get("cookie") ?? undefined);
  };

  return {
    checkHost(headers) {
      const host = headers.get("host")?.toLowerCase();
      if (host !== undefined && options.allowedHosts().includes(host)) return;
      throw new HttpProblem({ status: 403, code: "host-not-allowed", detail: "This server does not answer under this host name." });
    },
    checkOrigin(headers) {
      const origin = headers.get("origin");
      if (origin === null || options.origins().includes(origin) || hasToken(headers)) return;
      throw new HttpProblem({ status: 403, code: "origin-not-allowed", detail: "Pages of other origins may not use this server." });
    },
    checkAccess(request, access) {
      if (access === "public" || hasToken(request.headers)) return;
      if (bearerOf(request.headers) === undefined && hasSession(request)) {
        if (access === "credential") return;
        throw new HttpProblem({ status: 403, code: "token-required", detail: "Only programs with the bearer token may do this." });
      }
      throw new HttpProblem({
        status: 401,
        code: "unauthorized",
        detail:
          "Sign in first: a browser with the link that `npm start` or `skein open` prints, a program with the token file's content as bearer token.",
        headers: { "www-authenticate": "Bearer" },
      });
    },
  };
}

function bearerOf(headers: Headers): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}
