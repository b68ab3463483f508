import type { SliceLimits } from "../ports/storage.ts";

/** Size of one slice: a few milliseconds of the thread. */
export const sliceLimits: SliceLimits = { limit: 100, maxBytes: 256 * 1024 };

/**
 * Messages in slices, each read after the previous one was taken. `next` reads those after a message; `pause` yields to other work in
 * between, such as `setImmediate` of `node:timers/promises`.
 */
export async function* readSlices<Message extends { id: string }>({
  next,
  after,
  limit = Number.POSITIVE_INFINITY,
  pause,
}: {
  next: (query: { after: Message["id"] | undefined } & SliceLimits) => Promise<Message[]>;
  after?: Message["id"] | undefined;
  /** Total of all slices. */
  limit?: number | undefined;
  pause: () => Promise<unknown>;
}): AsyncGenerator<Message[], void> {
  let last = after;
  for (let left = limit; left > 0; ) {
    const slice = await next({ after: last, ...sliceLimits, limit: Math.min(left, sliceLimits.limit) });
    if (slice.length === 0) return;
    yield slice;
    left -= slice.length;
    last = slice.at(-1)?.id;
    await pause();
  }
}
