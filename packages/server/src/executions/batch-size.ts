const smallestBytes = 128 * 1024;
const largestBytes = 4 * 1024 * 1024;
/** SQLite writes in the server's own thread: for so long nobody else is served. */
const wantedMs = 12;

/** How much of a log goes into one transaction while its reading is far behind. */
export interface BatchSize {
  readonly bytes: number;
  /** How long the last one took to write. */
  learn(written: { bytes: number; ms: number }): void;
}

/** A commit costs the same however much is in it, so that large ones are fast; they are as large as others can wait for. */
export function createBatchSize(): BatchSize {
  let size = 2 * smallestBytes;
  return {
    get bytes() {
      return size;
    },
    learn({ bytes, ms }) {
      if (bytes < smallestBytes) return;
      const fitting = (bytes * wantedMs) / Math.max(ms, 0.1);
      // half way: one slow moment of the machine is no reason for small batches
      size = Math.min(largestBytes, Math.max(smallestBytes, (size + fitting) / 2));
    },
  };
}
