import { createHash } from "node:crypto";

/** Hashes UTF-16 units: in UTF-8 all lone surrogates look the same, and two ids would collide. */
export function digest(text: string, encoding: "hex" | "base64url"): string {
  return createHash("sha256").update(Buffer.from(text, "utf16le")).digest(encoding);
}
