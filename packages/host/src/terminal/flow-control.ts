/** Readers that are behind hold the program back, as a slow terminal does; readers that stopped reading do not. */
export interface FlowControl {
  /** A reader has got everything before `from`, and asks for more. */
  onRead(reader: string, from: number): void;
  /** Whether the program should wait. `end`: offset of the end of its output. */
  isBehind(end: number): boolean;
  /** Whether somebody reads. */
  hasReaders(): boolean;
}

/** @param limits `bytes`: how far a reader may be behind. `staleMs`: a reader that asks for nothing for this long does not count. */
export function createFlowControl(limits: { bytes: number; staleMs: number }, now: () => number): FlowControl {
  const readers = new Map<string, { from: number; at: number }>();

  function prune(): void {
    for (const [reader, { at }] of readers) if (now() - at > limits.staleMs) readers.delete(reader);
  }

  return {
    onRead(reader, from) {
      prune();
      readers.set(reader, { from, at: now() });
    },
    isBehind(end) {
      prune();
      return [...readers.values()].some(({ from }) => end - from > limits.bytes);
    },
    hasReaders() {
      prune();
      return readers.size > 0;
    },
  };
}
