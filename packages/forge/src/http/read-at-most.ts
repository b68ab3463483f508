/** A response exceeds the limit. */
export class AnswerTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";
}

/**
 * The bytes of an answer. Rejects with `AnswerTooLargeError` over the limit. With `keepLast` only the last bytes are kept in memory.
 */
export async function readAtMost(response: Response, maxBytes: number, options: { keepLast?: number } = {}): Promise<Buffer> {
  const { keepLast = Number.POSITIVE_INFINITY } = options;
  const chunks: Uint8Array[] = [];
  let [total, kept] = [0, 0];
  for await (const chunk of response.body ?? []) {
    total += chunk.byteLength;
    // leaving the loop cancels the rest of the answer
    if (total > maxBytes) throw new AnswerTooLargeError(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
    kept += chunk.byteLength;
    while (chunks[0] !== undefined && kept - chunks[0].byteLength >= keepLast) kept -= chunks.shift()?.byteLength ?? 0;
  }
  const bytes = Buffer.concat(chunks);
  return bytes.subarray(Math.max(0, bytes.byteLength - keepLast));
}
