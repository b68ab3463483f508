/** The end of a terminal's output. Offsets count the bytes of all output since the start. */
export interface ScrollBack {
  /** Offset after the last byte. */
  readonly end: number;
  append(chunk: Uint8Array): void;
  /** Bytes from an offset, or from the first one that is kept; at most `limit`. */
  read(from: number, limit: number): { start: number; data: Uint8Array };
}

const newline = 0x0a;

/** Keeps the last `maxBytes` at most. What is dropped ends with a line if possible: an escape sequence is not cut. */
export function createScrollBack(maxBytes: number): ScrollBack {
  const chunks: Uint8Array[] = [];
  let start = 0;
  let end = 0;

  /** Removes whole chunks, and a part of the first one that is left. */
  function drop(): void {
    for (let excess = end - start - maxBytes; excess > 0; excess = end - start - maxBytes) {
      const [first] = chunks;
      if (first === undefined) return;
      const cut = first.length <= excess ? first.length : endOfLine(first, excess);
      if (cut >= first.length) chunks.shift();
      else chunks[0] = first.subarray(cut);
      start += cut;
    }
  }

  return {
    get end() {
      return end;
    },
    append(chunk) {
      if (chunk.length === 0) return;
      chunks.push(chunk);
      end += chunk.length;
      drop();
    },
    read(from, limit) {
      const first = Math.min(Math.max(from, start), end);
      const parts: Uint8Array[] = [];
      let at = start;
      let left = limit;
      for (const chunk of chunks) {
        if (left === 0) break;
        if (at + chunk.length > first) {
          const part = chunk.subarray(Math.max(0, first - at)).subarray(0, left);
          parts.push(part);
          left -= part.length;
        }
        at += chunk.length;
      }
      return { start: first, data: Buffer.concat(parts) };
    },
  };
}

/** The end of the line that `at` is in, or `at` in a chunk without one. */
function endOfLine(chunk: Uint8Array, at: number): number {
  const found = chunk.indexOf(newline, at);
  return found === -1 ? at : found + 1;
}
