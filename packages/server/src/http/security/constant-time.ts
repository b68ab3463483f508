import { createHash, timingSafeEqual } from "node:crypto";

/** Compares digests, so that timing reveals neither the content nor the length of a secret. */
export function equalsInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
