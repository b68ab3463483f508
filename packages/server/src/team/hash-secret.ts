import { createHash } from "node:crypto";

/** The stored form of a random secret of 256 bits: it needs no salt, and several servers compute the same. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
