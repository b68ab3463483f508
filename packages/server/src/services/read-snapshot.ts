import type { Storage, StorageReader } from "@skein/engine";

/**
 * Iterates over `read` on one snapshot of the database. The snapshot is held from the first value to the last, or until `return` is
 * called.
 */
export async function* readSnapshot<T>(storage: Storage, read: (reader: StorageReader) => AsyncIterable<T>): AsyncGenerator<T, void> {
  const { reader, release } = await holdSnapshot(storage);
  try {
    yield* read(reader);
  } finally {
    await release();
  }
}

interface HeldSnapshot {
  reader: StorageReader;
  release(): Promise<void>;
}

function holdSnapshot(storage: Storage): Promise<HeldSnapshot> {
  return new Promise((resolve, reject) => {
    const released = Promise.withResolvers<void>();
    const ended = storage.snapshot(async (reader) => {
      resolve({
        reader,
        release() {
          released.resolve();
          return ended;
        },
      });
      await released.promise;
    });
    ended.catch(reject);
  });
}
