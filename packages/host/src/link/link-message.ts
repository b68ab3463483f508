import { z } from "zod";
import { LinkProtocolError } from "./frames.ts";

/*
 * Values cross as JSON. Bytes are attached to the message and named in the JSON by `{ "$bytes": n }`, async iterables by
 * `{ "$stream": id }`. An object of the data itself that has such a key is wrapped in `{ "$data": … }`.
 *
 *   4 bytes   length of the JSON text
 *   …         JSON text, UTF-8
 *   then, for each attachment, 4 bytes for its length and the bytes
 */

const id = z.int().nonnegative();

/** An error that crosses the link. */
export const wireErrorSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("service"),
    kind: z.enum(["not-found", "invalid", "conflict", "forbidden", "unavailable"]),
    text: z.unknown(),
    message: z.string(),
    command: z.string().exactOptional(),
  }),
  z.object({ type: z.literal("agent"), hint: z.unknown(), message: z.string() }),
  z.object({ type: z.literal("other"), name: z.string(), message: z.string(), code: z.string().exactOptional() }),
]);
export type WireError = z.infer<typeof wireErrorSchema>;

export const linkMessageSchema = z.discriminatedUnion("type", [
  /** The first message of each side. */
  z.object({ type: z.literal("hello"), protocol: z.int(), facts: z.unknown().optional() }),
  z.object({ type: z.literal("call"), id, method: z.string().max(100), args: z.array(z.unknown()).max(8) }),
  z.object({ type: z.literal("result"), id, value: z.unknown().optional() }),
  z.object({ type: z.literal("failed"), id, error: wireErrorSchema }),
  /** To the side that produces the stream: it may send this many more items. */
  z.object({ type: z.literal("pull"), stream: id, items: z.int().positive().max(1000) }),
  z.object({ type: z.literal("cancel"), stream: id }),
  /** From the side that produces the stream. */
  z.object({ type: z.literal("item"), stream: id, value: z.unknown().optional() }),
  z.object({ type: z.literal("end"), stream: id, error: wireErrorSchema.exactOptional() }),
  /** Keeps the connection alive. */
  z.object({ type: z.literal("ping") }),
]);
export type LinkMessage = z.infer<typeof linkMessageSchema>;

const marks = ["$bytes", "$stream", "$data"];

/** Encodes a message. `openStream` returns the id of a stream. Throws `TypeError` for anything that is not plain data. */
export function encodeMessage(message: LinkMessage, openStream: (source: AsyncIterable<unknown>) => number): Uint8Array {
  const attachments: Uint8Array[] = [];

  function toWire(value: unknown, path: string): unknown {
    if (value === null || value === undefined || typeof value === "string" || typeof value === "boolean" || typeof value === "number")
      return value;
    if (value instanceof Uint8Array) return { $bytes: attachments.push(value) - 1 };
    if (Array.isArray(value)) return value.map((inner, at) => toWire(inner, `${path}[${at}]`));
    if (typeof value === "object" && Symbol.asyncIterator in value) return { $stream: openStream(value as AsyncIterable<unknown>) };
    if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError(`${path} is not plain data`);
    const entries = Object.entries(value).map(([key, inner]) => [key, toWire(inner, `${path}.${key}`)]);
    const object = Object.fromEntries(entries);
    return marks.some((mark) => Object.hasOwn(object, mark)) ? { $data: object } : object;
  }

  const name = message.type === "call" ? `host.${message.method}` : message.type;
  const json = Buffer.from(JSON.stringify(toMessage(message, name)));
  function toMessage(given: LinkMessage, path: string): object {
    if (given.type === "call") return { ...given, args: given.args.map((arg) => toWire(arg, path)) };
    if (given.type === "result" || given.type === "item") return { ...given, value: toWire(given.value, path) };
    if (given.type === "hello") return { ...given, facts: toWire(given.facts, path) };
    return given;
  }
  return Buffer.concat([toLength(json), json, ...attachments.flatMap((bytes) => [toLength(bytes), bytes])]);
}

/** Decodes and checks a message. `openStream` returns the stream of the other side with an id. Throws `LinkProtocolError`. */
export function decodeMessage(bytes: Uint8Array, openStream: (id: number) => AsyncIterable<unknown>): LinkMessage {
  const [json, ...attachments] = splitParts(bytes);
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(json ?? []).toString("utf8"));
  } catch (cause) {
    throw new LinkProtocolError("a message that is not JSON", { cause });
  }
  const message = linkMessageSchema.safeParse(parsed);
  if (!message.success) throw new LinkProtocolError(`an invalid message: ${message.error.message}`);

  function fromWire(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(fromWire);
    if ("$bytes" in value) {
      const found = typeof value.$bytes === "number" ? attachments[value.$bytes] : undefined;
      if (found === undefined) throw new LinkProtocolError("bytes that are not attached");
      return found;
    }
    if ("$stream" in value) {
      if (typeof value.$stream !== "number") throw new LinkProtocolError("a stream without an id");
      return openStream(value.$stream);
    }
    const data = "$data" in value && typeof value.$data === "object" && value.$data !== null ? value.$data : value;
    return Object.fromEntries(Object.entries(data).map(([key, inner]) => [key, fromWire(inner)]));
  }

  const { data } = message;
  if (data.type === "call") return { ...data, args: data.args.map(fromWire) };
  if (data.type === "result" || data.type === "item") return { ...data, value: fromWire(data.value) };
  return data.type === "hello" ? { ...data, facts: fromWire(data.facts) } : data;
}

function toLength(bytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return length;
}

function splitParts(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) throw new LinkProtocolError("a message that was cut off");
    const length = view.getUint32(at);
    const end = at + 4 + length;
    if (end > bytes.length) throw new LinkProtocolError("a message that was cut off");
    parts.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return parts;
}
