import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { RequestEnd } from "./recorded-request.ts";
import type { Reply } from "./reply.ts";

export interface Body {
  status: number;
  headers: Record<string, string>;
  chunks: string[];
}

/**
 * Sends a body as the reply asks: late, slowly, never to its end, or cut in the middle.
 * `left` is aborted when the client disconnects, which ends every wait.
 */
export async function sendBody(
  response: ServerResponse,
  { status, headers, chunks }: Body,
  { reply, left }: { reply: Reply; left: AbortSignal },
): Promise<RequestEnd> {
  try {
    if (reply.delayMs !== undefined) await delay(reply.delayMs, undefined, { signal: left });
    if (reply.hang && chunks.length === 0) return await untilLeft(left);
    response.writeHead(status, headers);
    response.flushHeaders();
    let room = reply.cutAfterBytes ?? Number.POSITIVE_INFINITY;
    for (const [index, chunk] of chunks.entries()) {
      if (index > 0 && reply.chunkDelayMs !== undefined) await delay(reply.chunkDelayMs, undefined, { signal: left });
      const bytes = Buffer.from(chunk);
      if (bytes.length >= room) return await cut(response, bytes.subarray(0, room));
      room -= bytes.length;
      await write(response, bytes, left);
    }
    if (reply.hang) return await untilLeft(left);
    response.end();
    return "answered";
  } catch (error) {
    if (left.aborted) return "aborted";
    throw error;
  }
}

async function untilLeft(left: AbortSignal): Promise<RequestEnd> {
  if (!left.aborted) await new Promise((resolve) => left.addEventListener("abort", resolve, { once: true }));
  return "aborted";
}

async function write(response: ServerResponse, bytes: Uint8Array, left: AbortSignal): Promise<void> {
  left.throwIfAborted();
  if (!response.write(bytes)) await once(response, "drain", { signal: left });
}

// The socket is destroyed only when the kernel has the bytes: otherwise the client would get fewer than it should.
function cut(response: ServerResponse, bytes: Uint8Array): Promise<RequestEnd> {
  return new Promise((resolve) => {
    const destroy = () => {
      response.socket?.destroy();
      resolve("cut");
    };
    if (bytes.length === 0) destroy();
    else response.write(bytes, destroy);
  });
}
