import { LinkProtocolError } from "./frames.ts";

/** Items that a producer may send before the consumer has taken one. */
const window = 16;

/** A stream that this side sends. */
export interface ProducedStream {
  pull(items: number): void;
  cancel(): void;
}

/** Reads the source only as far as the consumer has asked for. */
export function produceStream(
  source: AsyncIterable<unknown>,
  { item, end }: { item(value: unknown): void; end(error?: unknown): void },
): ProducedStream {
  let iterator: AsyncIterator<unknown> | undefined;
  let credit = 0;
  let isReading = false;
  let isOver = false;

  async function read(): Promise<void> {
    isReading = true;
    try {
      iterator ??= source[Symbol.asyncIterator]();
      for (; credit > 0 && !isOver; credit--) {
        const { done, value } = await iterator.next();
        if (isOver) return;
        if (done) {
          isOver = true;
          end();
          return;
        }
        item(value);
      }
    } catch (error) {
      if (isOver) return;
      isOver = true;
      end(error);
    } finally {
      isReading = false;
    }
  }

  return {
    pull(items) {
      credit = Math.min(credit + items, 1000);
      if (!isReading && !isOver) void read();
    },
    cancel() {
      isOver = true;
      iterator ??= source[Symbol.asyncIterator]();
      // not awaited: a pending generator returns only later
      void Promise.resolve(iterator.return?.()).catch(() => {});
    },
  };
}

/** A stream that this side receives. */
export interface ConsumedStream extends AsyncIterableIterator<unknown> {
  push(value: unknown): void;
  end(error?: Error): void;
}

export function consumeStream({ pull, cancel }: { pull(items: number): void; cancel(): void }): ConsumedStream {
  const items: unknown[] = [];
  const waiting: PromiseWithResolvers<IteratorResult<unknown, undefined>>[] = [];
  /** Items that were requested and have not arrived. */
  let expected = 0;
  let isOver = false;
  let failure: Error | undefined;
  const done = { done: true, value: undefined } as const;

  function request(): void {
    const wanted = window - expected - items.length;
    if (isOver || wanted < window / 2) return;
    expected += wanted;
    pull(wanted);
  }

  function finish(error?: Error): void {
    isOver = true;
    failure ??= error;
    for (const one of waiting.splice(0)) {
      if (failure === undefined) one.resolve(done);
      else one.reject(failure);
    }
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (items.length > 0) {
        const value = items.shift();
        request();
        return Promise.resolve({ done: false, value });
      }
      if (isOver) return failure === undefined ? Promise.resolve(done) : Promise.reject(failure);
      const one = Promise.withResolvers<IteratorResult<unknown, undefined>>();
      waiting.push(one);
      request();
      return one.promise;
    },
    async return() {
      items.length = 0;
      if (!isOver) {
        finish();
        cancel();
      }
      return done;
    },
    push(value) {
      if (isOver) return;
      if (--expected < 0) throw new LinkProtocolError("more items than requested");
      const one = waiting.shift();
      if (one === undefined) items.push(value);
      else {
        one.resolve({ done: false, value });
        request();
      }
    },
    end: finish,
  };
}

/** An iterable that can be read before the call that returns it has been answered. */
export function toStream(called: Promise<unknown>): AsyncIterableIterator<unknown> {
  const source = called.then((value) => {
    if (isStream(value)) return value;
    throw new LinkProtocolError("a value instead of a stream");
  });
  source.catch(() => {}); // reported by `next`
  let isOver = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      return isOver ? { done: true, value: undefined } : (await source).next();
    },
    async return() {
      isOver = true;
      // not awaited: the call may be answered late
      void source.then((stream) => stream.return?.()).catch(() => {});
      return { done: true, value: undefined };
    },
  };
}

function isStream(value: unknown): value is AsyncIterableIterator<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;
}
