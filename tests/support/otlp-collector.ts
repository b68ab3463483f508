import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import protobuf from "protobufjs";
import { onTestFinished } from "vitest";
import { traceRequestType } from "./otlp-messages.ts";

/** A span as the collector read it: times in nanoseconds, ids in hexadecimal. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: string;
  startTimeUnixNano: bigint;
  endTimeUnixNano: bigint;
  attributes: Record<string, string | number | boolean>;
  status: { code: string; message: string };
}

export interface OtlpCollector {
  url: string;
  requests: { path: string; headers: Record<string, string | string[] | undefined> }[];
  /** Resource attributes of the last request. */
  resource: Record<string, unknown>;
  spans: CollectedSpan[];
  /** What was not valid OTLP. */
  problems: string[];
}

/** An OTLP/HTTP collector that reads requests by the protocol's specification, with nothing of Skein. `answers`: statuses of the first requests. */
export async function startOtlpCollector(answers: number[] = []): Promise<OtlpCollector> {
  const collector: OtlpCollector = { url: "", requests: [], resource: {}, spans: [], problems: [] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    collector.requests.push({ path: request.url ?? "", headers: request.headers });
    const status = answers.shift() ?? 200;
    if (status === 200) {
      try {
        const body = Buffer.concat(chunks);
        const plain = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
        take(collector, request.headers["content-type"] === "application/json" ? readJson(plain) : traceRequestType.decode(plain));
      } catch (error) {
        collector.problems.push(String(error));
      }
    }
    response.writeHead(status, { "content-type": request.headers["content-type"] ?? "" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return collector;
}

/** JSON of protobuf messages, with ids in hexadecimal: the one deviation of OTLP from protobuf's own JSON. */
function readJson(body: Buffer): protobuf.Message {
  const toBase64 = (key: string, value: unknown) =>
    /^(?:trace|span|parentSpan)Id$/.test(key) && typeof value === "string" ? Buffer.from(value, "hex").toString("base64") : value;
  const json = JSON.parse(body.toString(), toBase64);
  refuseUnknown(json, traceRequestType);
  return traceRequestType.fromObject(json);
}

/** `fromObject` ignores fields that do not exist. */
function refuseUnknown(value: Record<string, unknown>, type: protobuf.Type): void {
  for (const [name, field] of Object.entries(value)) {
    const known = type.fields[name];
    if (known === undefined) throw new Error(`${type.fullName} has no field ${name}`);
    const inner = known.resolve().resolvedType;
    if (!(inner instanceof protobuf.Type)) continue;
    for (const one of Array.isArray(field) ? field : [field]) refuseUnknown(one, inner);
  }
}

function take(collector: OtlpCollector, message: protobuf.Message): void {
  const problem = traceRequestType.verify(message);
  if (problem !== null) throw new Error(problem);
  const request = traceRequestType.toObject(message, {
    longs: String,
    enums: String,
    bytes: Buffer as never,
    defaults: true,
    arrays: true,
  });
  for (const { resource, scopeSpans } of request.resourceSpans) {
    collector.resource = toRecord(resource.attributes);
    for (const { scope, spans } of scopeSpans) {
      if (scope?.name !== "skein") collector.problems.push("no scope");
      for (const span of spans) collector.spans.push(toSpan(collector, span));
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what protobufjs decodes has no static type
function toSpan({ problems }: OtlpCollector, span: any): CollectedSpan {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const [traceId, spanId, parentSpanId] = [hex(span.traceId), hex(span.spanId), hex(span.parentSpanId)];
  if (!/^(?!0{32})[0-9a-f]{32}$/.test(traceId)) problems.push(`trace id ${traceId}`);
  if (!/^(?!0{16})[0-9a-f]{16}$/.test(spanId)) problems.push(`span id ${spanId}`);
  if (!/^([0-9a-f]{16})?$/.test(parentSpanId)) problems.push(`parent id ${parentSpanId}`);
  const [startTimeUnixNano, endTimeUnixNano] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
  if (span.name === "" || startTimeUnixNano === 0n || endTimeUnixNano < startTimeUnixNano) problems.push(`times or name of ${span.name}`);
  const { code, message } = span.status ?? {};
  const attributes = toRecord(span.attributes);
  if (Object.keys(attributes).length !== span.attributes.length) problems.push(`an attribute twice in ${span.name}`);
  return {
    traceId,
    spanId,
    parentSpanId,
    name: span.name,
    kind: span.kind,
    startTimeUnixNano,
    endTimeUnixNano,
    attributes,
    status: { code, message },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function toRecord(attributes: any[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [kind] = Object.keys(value).filter((name) => value[name] !== null && value[name] !== undefined);
      const plain = kind === undefined ? undefined : value[kind];
      return [key, kind === "intValue" ? Number(plain) : plain];
    }),
  );
}
