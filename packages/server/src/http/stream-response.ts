export interface StreamOptions {
  status?: number;
  headers: Readonly<Record<string, string>>;
  /** A client that takes nothing for so long is disconnected: what it reads from is held for it. */
  stalledMs: number;
  /** Cuts the connection; undefined where there is none. */
  disconnect: (() => void) | undefined;
  onFailure(error: unknown): void;
}

/**
 * A response whose body is made while it is sent, no faster than the client reads. Rejects with what keeps its first piece from being
 * made: no byte is sent then, so the caller can answer with the error. When it fails later, the connection is cut: an answer that
 * merely ends would look complete.
 */
export async function toStreamResponse(pieces: AsyncGenerator<string, void>, options: StreamOptions): Promise<Response> {
  const { status = 200, headers, stalledMs, disconnect, onFailure } = options;
  const encoder = new TextEncoder();
  let isOver = false;
  let stalled: NodeJS.Timeout | undefined;
  let first: IteratorResult<string, void> | undefined = await pieces.next();

  async function end(): Promise<void> {
    isOver = true;
    clearTimeout(stalled);
    await pieces.return();
  }

  async function next(): Promise<IteratorResult<string, void>> {
    const made = first ?? (await pieces.next());
    first = undefined;
    return made;
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => expectReader(controller),
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const { done, value } = await next();
          if (isOver) return;
          if (done) return controller.close();
          controller.enqueue(encoder.encode(value));
          expectReader(controller);
        } catch (error) {
          if (isOver) return;
          isOver = true;
          onFailure(error);
          cut(controller, error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );

  /** Also for the first piece: a client that is gone by now takes nothing. */
  function expectReader(controller: ReadableStreamDefaultController): void {
    stalled = setTimeout(() => {
      end().catch(onFailure);
      cut(controller, new Error("The client has stopped reading."));
    }, stalledMs);
  }

  /** The connection's end cancels the stream. Failing it as well would have the HTTP library end the answer in its own way. */
  function cut(controller: ReadableStreamDefaultController, error: unknown): void {
    if (disconnect === undefined) controller.error(error);
    else disconnect();
  }

  return new Response(body, { status, headers });
}
