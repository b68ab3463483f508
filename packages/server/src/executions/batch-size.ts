const smallestBytes = 128 * 1024;
const largestBytes = 4 * 1024 * 1024;
/** Target duration of a write. SQLite blocks the server's thread for this long. */
const wantedMs = 12;

/** Size of a transaction while reading a log lags far behind. */
export interface BatchSize {
  readonly bytes: number;
  /** Reports how long the last batch took to write. */
  learn(written: { bytes: number; ms: number }): void;
}

/** Commits have a fixed cost, so larger batches are faster. The size adapts to the target duration. */
export function createBatchSize(): BatchSize {
  let size = 2 * smallestBytes;
  return {
    get bytes() {
      return size;
    },
    learn({ bytes, ms }) {
      if (bytes < smallestBytes) return;
      const fitting = (bytes * wantedMs) / Math.max(ms, 0.1);
      // half way: one slow write must not shrink the batches
      size = Math.min(largestBytes, Math.max(smallestBytes, (size + fitting) / 2));
    },
  };
}
