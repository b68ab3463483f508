import { randomBytes } from "node:crypto";

/** Each kind of secret has its own prefix, so that it is recognised wherever it appears. */
const prefixes = {
  launch: "skl_",
  cookie: "skc_",
  session: "sks_",
  /** An API token of a user. */
  api: "ska_",
  invitation: "ski_",
  /** Ties a sign-in with OpenID Connect to the browser that started it. */
  flow: "skf_",
} as const;

/** 256 random bits with a prefix, in characters that need no escaping in URLs, cookies and headers. */
export function createSecret(kind: keyof typeof prefixes): string {
  return prefixes[kind] + randomBytes(32).toString("base64url");
}

/** Whether a bearer token may be an API token. */
export function isApiToken(secret: string): boolean {
  return secret.startsWith(prefixes.api);
}

/** Matches the secrets of `createSecret`, including truncated ones. */
export const browserSecretPattern: RegExp = /\bsk[lcsaif]_[\w-]{8,}/g;
