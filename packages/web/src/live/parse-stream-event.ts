import type { ServerEvent } from "@skein/client";
import type { Health, MessageGrowth, MessageReference, SkeinEvent } from "@skein/contracts";
import type { z } from "zod";
import { UnreadableError } from "../api/api-error.ts";
import type { WireSchemas } from "../api/load-wire-schemas.ts";
import { parseReceived } from "../api/parse-received.ts";

/** One event of the stream. `seq` is null for what is not stored. */
export type StreamEvent = { seq: number | null } & (
  | { kind: "event"; event: SkeinEvent }
  | { kind: "committed"; reference: MessageReference }
  | { kind: "grown"; growth: MessageGrowth }
  | { kind: "health"; health: Health }
  | { kind: "unreadable"; error: UnreadableError }
);

/** Undefined for an event that this page does not know: a newer server sent it. */
export function parseStreamEvent({ streamSchemas, eventTypes }: WireSchemas, { type, data, id }: ServerEvent): StreamEvent | undefined {
  const seq = toSequence(id);
  const read = <Schema extends z.ZodType>(schema: Schema) => parseReceived(schema, toJson(data, type), type);
  try {
    if (type === "message:committed") return { seq, kind: "committed", reference: read(streamSchemas.reference) };
    if (type === "message:grown") return { seq, kind: "grown", growth: read(streamSchemas.growth) };
    if (type === "server:health") return { seq, kind: "health", health: read(streamSchemas.health) };
    if (type === "message:added") return { seq, kind: "event", event: read(streamSchemas.messageAdded) };
    return eventTypes.has(type) ? { seq, kind: "event", event: read(streamSchemas.event) } : undefined;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { seq, kind: "unreadable", error };
  }
}

function toSequence(id: string | undefined): number | null {
  const seq = id === undefined || id === "" ? Number.NaN : Number(id);
  return Number.isSafeInteger(seq) ? seq : null;
}

function toJson(data: string, source: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new UnreadableError({ source, field: "", reason: "not JSON" });
  }
}
