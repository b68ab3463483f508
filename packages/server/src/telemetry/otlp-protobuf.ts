import type { Attributes, AttributeValue, Resource, Span } from "./span.ts";

/** The body of a request with `http/protobuf`: an ExportTraceServiceRequest. The numbers are those of the fields in the specification. */
export function toOtlpProtobuf(spans: readonly Span[], { attributes, scope }: Resource): Uint8Array {
  const scopeSpans = [message(1, [text(1, scope.name), text(2, scope.version)]), ...spans.map((span) => message(2, toSpan(span)))];
  return Buffer.concat([message(1, [message(1, toKeyValues(1, attributes)), message(2, scopeSpans)])]);
}

function toSpan({ traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, attributes, error }: Span): Uint8Array[] {
  return [
    bytes(1, Buffer.from(traceId, "hex")),
    bytes(2, Buffer.from(spanId, "hex")),
    ...(parentSpanId === undefined ? [] : [bytes(4, Buffer.from(parentSpanId, "hex"))]),
    text(5, name),
    varint(6, kind),
    time(7, startedAt),
    time(8, endedAt),
    ...toKeyValues(9, attributes),
    message(15, error === undefined ? [] : [text(2, error), varint(3, 2)]),
  ];
}

function toKeyValues(field: number, attributes: Attributes): Uint8Array[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [message(field, [text(1, key), message(2, [toAnyValue(value)])])],
  );
}

function toAnyValue(value: AttributeValue): Uint8Array {
  if (typeof value === "string") return text(1, value);
  if (typeof value === "boolean") return varint(2, value ? 1 : 0);
  return Number.isInteger(value) ? varint(3, value) : double(4, value);
}

const message = (field: number, parts: readonly Uint8Array[]): Uint8Array => bytes(field, Buffer.concat(parts));
const text = (field: number, value: string): Uint8Array => bytes(field, Buffer.from(value.toWellFormed()));
const bytes = (field: number, value: Uint8Array): Uint8Array => Buffer.concat([toVarint((field << 3) | 2), toVarint(value.length), value]);
const varint = (field: number, value: number): Uint8Array => Buffer.concat([toVarint(field << 3), toVarint(value)]);

function time(field: number, milliseconds: number): Uint8Array {
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(BigInt(Math.round(milliseconds)) * 1_000_000n);
  return Buffer.concat([toVarint((field << 3) | 1), value]);
}

function double(field: number, number: number): Uint8Array {
  const value = Buffer.alloc(8);
  value.writeDoubleLE(number);
  return Buffer.concat([toVarint((field << 3) | 1), value]);
}

/** Negative numbers are written with 64 bits. */
function toVarint(number: number): Uint8Array {
  const units: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(number));
  for (; rest > 0x7fn; rest >>= 7n) units.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.from([...units, Number(rest)]);
}
