import type { Attributes, AttributeValue, Resource, Span } from "./span.ts";

/** The body of a request with `http/json`. */
export function toOtlpJson(spans: readonly Span[], { attributes, scope }: Resource): string {
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: toKeyValues(attributes) }, scopeSpans: [{ scope, spans: spans.map(toSpan) }] }],
  });
}

function toSpan({ startedAt, endedAt, attributes, error, ...span }: Span) {
  return {
    ...span,
    startTimeUnixNano: toNanoseconds(startedAt),
    endTimeUnixNano: toNanoseconds(endedAt),
    attributes: toKeyValues(attributes),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

/** Numbers of 64 bits are strings in JSON. */
const toNanoseconds = (milliseconds: number): string => String(BigInt(Math.round(milliseconds)) * 1_000_000n);

function toKeyValues(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: toAnyValue(value) }]));
}

function toAnyValue(value: AttributeValue) {
  if (typeof value === "string") return { stringValue: value.toWellFormed() };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
