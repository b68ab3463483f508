import { HttpProblem } from "./http-problem.ts";

/** Parses the body; undefined if there is none. Never reads more than `maxBytes`. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text === "") return undefined;
  requireJson(request);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? { reason: error.message } : {};
    throw new HttpProblem({ status: 400, text: { code: "malformed-json", ...reason } });
  }
}

/** The body as it arrives, for a JSON file that may not fit into memory. Throws after `maxBytes`. */
export async function* readUpload(request: Request, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  requireJson(request);
  yield* readChunks(request, maxBytes);
}

async function* readChunks(request: Request, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function requireJson(request: Request): void {
  if (!isJson(request.headers.get("content-type"))) throw new HttpProblem({ status: 415, text: { code: "unsupported-media-type" } });
}

function isJson(contentType: string | null): boolean {
  return contentType?.split(";")[0]?.trim().toLowerCase() === "application/json";
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get("content-length");
  if (declared !== null && !request.headers.has("transfer-encoding")) {
    // the HTTP parser delivers exactly the declared number of bytes
    if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
    return request.text();
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(request, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem({ status: 413, text: { code: "body-too-large", maxBytes } });
}
