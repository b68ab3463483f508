/** Stops waiting when the signal aborts, even if the source does not support it. Rejects with the signal's reason. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  let finished = false;
  try {
    while (true) {
      const result = await Promise.race([iterator.next(), aborted.promise]);
      if (result.done === true) {
        finished = true;
        return;
      }
      yield result.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: a source that hangs would also hang on closing.
    if (!finished) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
