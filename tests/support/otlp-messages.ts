import protobuf from "protobufjs";

/*
 * The messages of OTLP traces as the protocol's specification numbers their fields: `name: [number, type]`, with `repeated` where there can be
 * several. Enumerations are by their numbers.
 */
type Field = readonly [number: number, type: string, rule?: "repeated"];

const attributes = (number: number): Field => [number, "KeyValue", "repeated"];

const messages: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  ExportTraceServiceRequest: { resourceSpans: [1, "ResourceSpans", "repeated"] },
  ResourceSpans: { resource: [1, "Resource"], scopeSpans: [2, "ScopeSpans", "repeated"], schemaUrl: [3, "string"] },
  Resource: { attributes: attributes(1), droppedAttributesCount: [2, "uint32"] },
  ScopeSpans: { scope: [1, "InstrumentationScope"], spans: [2, "Span", "repeated"], schemaUrl: [3, "string"] },
  InstrumentationScope: { name: [1, "string"], version: [2, "string"], attributes: attributes(3), droppedAttributesCount: [4, "uint32"] },
  Span: {
    ...{ traceId: [1, "bytes"], spanId: [2, "bytes"], traceState: [3, "string"], parentSpanId: [4, "bytes"] },
    ...{ name: [5, "string"], kind: [6, "SpanKind"], startTimeUnixNano: [7, "fixed64"], endTimeUnixNano: [8, "fixed64"] },
    ...{ attributes: attributes(9), droppedAttributesCount: [10, "uint32"], events: [11, "Event", "repeated"] },
    ...{ droppedEventsCount: [12, "uint32"], links: [13, "Link", "repeated"], droppedLinksCount: [14, "uint32"] },
    ...{ status: [15, "Status"], flags: [16, "fixed32"] },
  },
  Event: { timeUnixNano: [1, "fixed64"], name: [2, "string"], attributes: attributes(3), droppedAttributesCount: [4, "uint32"] },
  Link: {
    ...{ traceId: [1, "bytes"], spanId: [2, "bytes"], traceState: [3, "string"] },
    ...{ attributes: attributes(4), droppedAttributesCount: [5, "uint32"], flags: [6, "fixed32"] },
  },
  Status: { message: [2, "string"], code: [3, "StatusCode"] },
  KeyValue: { key: [1, "string"], value: [2, "AnyValue"] },
  AnyValue: {
    ...{ stringValue: [1, "string"], boolValue: [2, "bool"], intValue: [3, "int64"], doubleValue: [4, "double"] },
    ...{ arrayValue: [5, "ArrayValue"], kvlistValue: [6, "KeyValueList"], bytesValue: [7, "bytes"] },
  },
  ArrayValue: { values: [1, "AnyValue", "repeated"] },
  KeyValueList: { values: attributes(1) },
};

const kinds = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];
const codes = ["UNSET", "OK", "ERROR"];

function createRoot(): protobuf.Root {
  const root = new protobuf.Root();
  for (const [name, fields] of Object.entries(messages)) {
    const type = new protobuf.Type(name);
    for (const [field, [number, kind, rule]] of Object.entries(fields)) type.add(new protobuf.Field(field, number, kind, rule));
    // of these, a message has at most one
    if (name === "AnyValue") type.add(new protobuf.OneOf("value", Object.keys(fields)));
    root.add(type);
  }
  const toValues = (prefix: string, names: string[]) => Object.fromEntries(names.map((name, value) => [`${prefix}_${name}`, value]));
  root.add(new protobuf.Enum("SpanKind", toValues("SPAN_KIND", kinds)));
  root.add(new protobuf.Enum("StatusCode", toValues("STATUS_CODE", codes)));
  root.resolveAll();
  return root;
}

export const traceRequestType = createRoot().lookupType("ExportTraceServiceRequest");
