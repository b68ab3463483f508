import type { TerminalExit } from "@skein/contracts";

/*
 * One request per connection: a line of JSON from the host, a line of JSON from the terminal, and for `read` the bytes of the output after
 * it. The host keeps no connection, and so nothing is lost with it.
 */

/** A request with the key that only the host has. `reader`: who reads, for flow control. */
export type TerminalRequest =
  | { type: "read"; from: number; limit: number; waitMs: number; reader: string }
  | { type: "write"; data: string }
  | { type: "resize"; columns: number; rows: number }
  | { type: "close" };

export interface TerminalReply {
  start: number;
  length: number;
  end: number;
  exit: TerminalExit | null;
}

const maxRequestLength = 4 * 1024 * 1024;

/** Undefined for an invalid request. Uses no schema library, so that the process stays small. */
export function parseTerminalRequest(line: string): { request: TerminalRequest; key: string } | undefined {
  try {
    const { key, type, ...fields } = (JSON.parse(line) ?? {}) as Record<string, unknown>;
    if (typeof key !== "string") return undefined;
    const { from, limit, waitMs, reader, data, columns, rows } = fields;
    if (type === "close") return { key, request: { type } };
    if (type === "write" && typeof data === "string") return { key, request: { type, data } };
    if (type === "resize" && isSize(columns) && isSize(rows)) return { key, request: { type, columns, rows } };
    if (type !== "read" || !isCount(from) || !isCount(limit) || !isCount(waitMs) || typeof reader !== "string") return undefined;
    return { key, request: { type, from, limit, waitMs, reader } };
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isSize = (value: unknown): value is number => isCount(value) && value > 0 && value <= 10_000;

/** Collects the first line of a connection. Returns undefined until it is there, and null if it is too long. */
export function createFirstLine(): (chunk: Buffer) => string | null | undefined {
  let text: Buffer = Buffer.alloc(0);
  return (chunk) => {
    text = Buffer.concat([text, chunk]);
    const end = text.indexOf(0x0a);
    if (end !== -1) return text.subarray(0, end).toString();
    return text.length > maxRequestLength ? null : undefined;
  };
}
