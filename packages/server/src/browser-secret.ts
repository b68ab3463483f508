import { randomBytes } from "node:crypto";

/** Each kind of secret that the server gives to a browser has a prefix of its own, so that it is recognised wherever it appears. */
const prefixes = { launch: "skl_", cookie: "skc_", session: "sks_" } as const;

/** 256 random bits with the prefix of their kind, in characters that need no escaping in a URL, a cookie or a header. */
export function createSecret(kind: keyof typeof prefixes): string {
  return prefixes[kind] + randomBytes(32).toString("base64url");
}

/** Finds the secrets of `createSecret` in a text, also shortened ones. */
export const browserSecretPattern: RegExp = /\bsk[lcs]_[\w-]{8,}/g;
