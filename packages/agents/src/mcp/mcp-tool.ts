import { createHash } from "node:crypto";
import type { JsonValue } from "@skein/contracts";
import { takeStart } from "@skein/engine";
import { z } from "zod";

/** One tool of a server, by the server's own name. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: JsonValue;
  /** Hash of everything that the model gets about it. */
  hash: string;
}

const longestDescription = 4000;
const largestSchema = 64 * 1024;
const deepestSchema = 100;

const toolSchema = z.object({
  name: z.string().min(1).max(500),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
});

/** Undefined if it cannot be offered to a model: without name or schema, or with an excessively large schema. */
export function parseMcpTool(value: unknown): McpTool | undefined {
  const parsed = toolSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { name, title, description } = parsed.data;
  const inputSchema = parsed.data.inputSchema as JsonValue;
  if (depthOf(inputSchema) > deepestSchema || JSON.stringify(inputSchema).length > largestSchema) return undefined;
  const text = description ?? title ?? "";
  return {
    name,
    description: text.length > longestDescription ? `${takeStart(text, longestDescription)}…` : text,
    inputSchema,
    hash: hashJson([name, text, inputSchema]),
  };
}

/** Canonical: independent of the order of an object's keys. */
function hashJson(value: JsonValue): string {
  return createHash("sha256")
    .update(JSON.stringify(toSorted(value)))
    .digest("hex");
}

function toSorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(toSorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // pairs instead of an object: a key such as __proto__ must count, too
  return entries.map(([key, item]) => [key, toSorted(item)]);
}

/** Not recursive: a hostile schema must not overflow the stack. */
function depthOf(root: JsonValue): number {
  let depth = 0;
  for (let level: JsonValue[] = [root]; level.length > 0 && depth <= deepestSchema; depth++) {
    level = level.flatMap((value) => (value !== null && typeof value === "object" ? Object.values(value) : []));
  }
  return depth;
}
