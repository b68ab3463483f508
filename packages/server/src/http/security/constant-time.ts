import { createHash, timingSafeEqual } from "node:crypto";

/** Digests are compared, so that neither the content nor the length of a secret shows in the time it takes. */
export function equalsInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
