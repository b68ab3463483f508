import { createHash } from "node:crypto";

/** Ids and signatures that look random, are unique within one server, and are the same in every run. */
export function createOpaqueIds(): { id(prefix: string): string; blob(...bound: string[]): string } {
  let count = 0;
  const digest = (bound: string) => createHash("sha256").update(`${count++}\n${bound}`).digest();
  return {
    id: (prefix) => `${prefix}${digest(prefix).toString("hex").slice(0, 24)}`,
    blob: (...bound) => digest(bound.join("\n")).toString("base64"),
  };
}

export type OpaqueIds = ReturnType<typeof createOpaqueIds>;
