import { createHash } from "node:crypto";

export interface SessionCookie {
  /** Per instance and port: browsers send cookies to every port of a host, and two servers must not sign each other out. */
  name(): string;
  /** The `Set-Cookie` value that stores the cookie. */
  set(value: string, lifetimeMs: number): string;
  /** The `Set-Cookie` value that removes it. */
  clear(): string;
  /**
   * Every value of the cookie. Programs on other ports of the host can set more cookies of this name, with another path, which the
   * browser sends first.
   */
  read(cookieHeader: string | undefined): string[];
}

export function createSessionCookie(options: { instanceId: string; origin: () => string; secure: boolean }): SessionCookie {
  const name = () => {
    const { port, protocol } = new URL(options.origin());
    const instance = `${options.instanceId}:${port || protocol}`;
    return `skein_${createHash("sha256").update(instance).digest("hex").slice(0, 8)}`;
  };
  const toHeader = (value: string, maxAgeSeconds: number) =>
    `${name()}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${options.secure ? "; Secure" : ""}`;
  return {
    name,
    set: (value, lifetimeMs) => toHeader(value, Math.floor(lifetimeMs / 1000)),
    clear: () => toHeader("", 0),
    read(cookieHeader) {
      const start = `${name()}=`;
      return (cookieHeader ?? "").split(";").flatMap((pair) => {
        const cookie = pair.trim();
        return cookie.startsWith(start) ? [cookie.slice(start.length)] : [];
      });
    },
  };
}
