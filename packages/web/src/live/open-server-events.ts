import { createParser } from "eventsource-parser";
import { sendRequest } from "../api/send-request.ts";

/** One server-sent event; `id` is its own, undefined for an event without one. */
export interface ServerEvent {
  type: string;
  data: string;
  id: string | undefined;
}

export interface ServerEventsHandlers {
  onOpen(): void;
  onEvent(event: ServerEvent): void;
  /** The stream was refused, broke or ended. Not called after it was closed. */
  onEnd(): void;
}

/** Opens a stream of server-sent events; the result closes it. `EventSource` cannot send the session's secret. */
export function openServerEvents(url: string, handlers: ServerEventsHandlers): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const parser = createParser({
    onEvent({ event = "message", data, id }) {
      if (signal.aborted) return;
      try {
        handlers.onEvent({ type: event, data, id });
      } catch (error) {
        // one event that cannot be applied must not end the stream: it would be sent again at the next one's start
        reportError(error);
      }
    },
  });
  const read = async () => {
    const response = await sendRequest(url, { headers: { accept: "text/event-stream" }, cache: "no-store", signal });
    if (signal.aborted) return;
    handlers.onOpen();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) parser.feed(part.value);
  };
  const end = () => {
    if (!signal.aborted) handlers.onEnd();
  };
  read().then(end, end);
  return () => abort.abort();
}
