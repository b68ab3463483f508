import { readServerEvents, type ServerEvent } from "@skein/client";
import { sendRequest } from "../api/send-request.ts";

export interface ServerEventsHandlers<Event> {
  onOpen(): void;
  onEvent(event: Event): void;
  /** The stream was refused, broke or ended. Not called after it was closed. */
  onEnd(): void;
}

export interface ServerEventsOptions<Event> extends ServerEventsHandlers<Event> {
  /** Resolves with the function that reads an event; undefined ignores it. Loaded while the connection opens. */
  loadParser(): Promise<(received: ServerEvent) => Event | undefined>;
}

/** Opens a stream of server-sent events; the result closes it. `EventSource` cannot send the session's secret. */
export function openServerEvents<Event>(url: string, { loadParser, onOpen, onEvent, onEnd }: ServerEventsOptions<Event>): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const read = async () => {
    const opening = sendRequest(url, { headers: { accept: "text/event-stream" }, cache: "no-store", signal });
    const [response, parse] = await Promise.all([opening, loadParser()]);
    if (signal.aborted) return;
    onOpen();
    if (response.body === null) return;
    for await (const received of readServerEvents(response.body)) {
      if (signal.aborted) return;
      try {
        const event = parse(received);
        if (event !== undefined) onEvent(event);
      } catch (error) {
        // one event that cannot be applied must not end the stream: the next connection would get it again
        reportError(error);
      }
    }
  };
  const end = () => {
    if (signal.aborted) return;
    // also where the parser could not be loaded: the open connection must not stay
    abort.abort();
    onEnd();
  };
  read().then(end, end);
  return () => abort.abort();
}
