export interface StreamOptions {
  status?: number;
  headers: Readonly<Record<string, string>>;
  /** A client that reads nothing for this long is disconnected, because it holds a snapshot. */
  stalledMs: number;
  /** Time limit for the whole response. */
  longestMs: number;
  /** Closes the connection; undefined if there is none. */
  disconnect: (() => void) | undefined;
  onFailure(error: unknown): void;
}

/**
 * A response whose body is generated while it is sent, no faster than the client reads. Rejects if the first chunk cannot be
 * generated: no byte is sent then, so the caller can respond with the error. A later failure cuts the connection: a response that
 * merely ended would look complete.
 */
export async function toStreamResponse(pieces: AsyncGenerator<string, void>, options: StreamOptions): Promise<Response> {
  const { status = 200, headers, stalledMs, longestMs, disconnect, onFailure } = options;
  const encoder = new TextEncoder();
  let isOver = false;
  let stalled: NodeJS.Timeout | undefined;
  let tooLong: NodeJS.Timeout | undefined;
  let first: IteratorResult<string, void> | undefined = await pieces.next();

  async function end(): Promise<void> {
    isOver = true;
    clearTimeout(stalled);
    clearTimeout(tooLong);
    await pieces.return();
  }

  async function next(): Promise<IteratorResult<string, void>> {
    const made = first ?? (await pieces.next());
    first = undefined;
    return made;
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        tooLong = setTimeout(() => giveUp(controller, "The client reads too slowly."), longestMs).unref();
        expectReader(controller);
      },
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const { done, value } = await next();
          if (isOver) return;
          if (done) {
            clearTimeout(tooLong);
            return controller.close();
          }
          controller.enqueue(encoder.encode(value));
          expectReader(controller);
        } catch (error) {
          if (isOver) return;
          isOver = true;
          clearTimeout(tooLong);
          onFailure(error);
          cut(controller, error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );

  /** Also for the first chunk: a client that is gone reads nothing. */
  function expectReader(controller: ReadableStreamDefaultController): void {
    stalled = setTimeout(() => giveUp(controller, "The client has stopped reading."), stalledMs);
  }

  function giveUp(controller: ReadableStreamDefaultController, reason: string): void {
    end().catch(onFailure);
    cut(controller, new Error(reason));
  }

  /** Closing the connection cancels the stream. Failing the stream, too, would make the HTTP library end the response regularly. */
  function cut(controller: ReadableStreamDefaultController, error: unknown): void {
    if (disconnect === undefined) controller.error(error);
    else disconnect();
  }

  return new Response(body, { status, headers });
}
