import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FetchError } from "./fetch-error.ts";

export const maximumBodyBytes = 5 * 1024 * 1024;

/** Bounded by what it unpacks to: a few kilobytes can unpack to gigabytes. */
export async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maximumBodyBytes) throw new FetchError(`The page has more than ${maximumBodyBytes} bytes, too many for this tool.`);
      chunks.push(chunk);
    }
  };
  const decompress = createDecompress(response.headers["content-encoding"]);
  await (decompress === undefined ? pipeline(response, collect) : pipeline(response, decompress, collect));
  return Buffer.concat(chunks);
}

function createDecompress(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase() ?? "") {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw new FetchError(`The page is encoded as ${encoding}, which is not understood.`);
  }
}
