import { createHash, createHmac, randomBytes } from "node:crypto";
import { parse } from "hono/utils/cookie";
import { equalsInConstantTime } from "./constant-time.ts";

const lifetimeSeconds = 30 * 24 * 60 * 60;

export interface SessionCookie {
  /** Per instance and port: browsers send cookies to every port of a host, and two servers must not sign each other out. */
  name(): string;
  /** The `Set-Cookie` value that signs a browser in. */
  issue(): string;
  /** The `Set-Cookie` value that signs it out. */
  clear(): string;
  isValid(cookieHeader: string | undefined): boolean;
}

/**
 * `<expiry>.<nonce>.<signature>`: nothing is stored, so a browser stays signed in over restarts of the server.
 * A new token file ends every session.
 */
export function createSessionCookie(options: {
  token: string;
  instanceId: string;
  origin: () => string;
  secure: boolean;
  now: () => number;
}): SessionCookie {
  const key = createHmac("sha256", options.token).update("skein browser session").digest();
  const sign = (payload: string) => createHmac("sha256", key).update(payload).digest("base64url");
  const name = () => {
    const { port, protocol } = new URL(options.origin());
    const instance = `${options.instanceId}:${port || protocol}`;
    return `skein_${createHash("sha256").update(instance).digest("hex").slice(0, 8)}`;
  };
  const toHeader = (value: string, maxAge: number) =>
    `${name()}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${options.secure ? "; Secure" : ""}`;
  return {
    name,
    issue() {
      const payload = `${Math.floor(options.now() / 1000) + lifetimeSeconds}.${randomBytes(16).toString("base64url")}`;
      return toHeader(`${payload}.${sign(payload)}`, lifetimeSeconds);
    },
    clear: () => toHeader("", 0),
    isValid(cookieHeader) {
      if (cookieHeader === undefined) return false;
      const cookieName = name();
      const [expiry, nonce, signature, ...rest] = (parse(cookieHeader, cookieName)[cookieName] ?? "").split(".");
      if (expiry === undefined || nonce === undefined || signature === undefined || rest.length > 0) return false;
      if (!equalsInConstantTime(signature, sign(`${expiry}.${nonce}`))) return false;
      return Number(expiry) * 1000 > options.now();
    },
  };
}
