import type { StreamedJson } from "../services/streamed-json.ts";
import { WrittenJson } from "../services/written-json.ts";

/** A result whose fields may already be serialised, or an array that is serialised while it is sent. */
export type JsonResult<T> = T extends readonly unknown[]
  ? T | StreamedJson
  : T extends object
    ? { [Field in keyof T]: T[Field] | WrittenJson }
    : T;

const pieceBytes = 256 * 1024;

/** Serialises a result. Fields that are already JSON are sent unchanged, in chunks, after the others. */
export function toJsonResponse(result: unknown, status: number): Response {
  const fields = typeof result === "object" && result !== null ? Object.entries(result) : [];
  const written = fields.filter((field): field is [string, WrittenJson] => field[1] instanceof WrittenJson);
  if (written.length === 0) return Response.json(result, { status });
  const rest = JSON.stringify(Object.fromEntries(fields.filter(([, value]) => !(value instanceof WrittenJson))));
  const pieces = listPieces(rest, written);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

function* listPieces(rest: string, written: readonly [string, WrittenJson][]): Generator<Uint8Array, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(rest.slice(0, -1));
  for (const [index, [name, { text }]] of written.entries()) {
    yield encoder.encode(`${rest === "{}" && index === 0 ? "" : ","}${JSON.stringify(name)}:`);
    for (let at = 0; at < text.length; at += pieceBytes) yield text.subarray(at, at + pieceBytes);
  }
  yield encoder.encode("}");
}
