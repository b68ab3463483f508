/** A server-sent event as a browser would see it. `id` alone moves the position without an event. */
export interface ReadEvent {
  id?: string;
  event?: string;
  data?: unknown;
}

export interface EventReader {
  /** Waits for the next one; comments and `retry` are skipped. Undefined at the end of the stream. */
  next(): Promise<ReadEvent | undefined>;
  take(count: number): Promise<ReadEvent[]>;
  /** All bytes received so far, as text. */
  text(): string;
  cancel(): Promise<void>;
}

export function readEvents(response: Response): EventReader {
  if (response.body === null) throw new TypeError("the response has no body");
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let read = 0;

  const next = async (): Promise<ReadEvent | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n", read);
      if (end >= 0) {
        const event = parseBlock(text.slice(read, end));
        read = end + 2;
        if (event !== undefined) return event;
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  };
  return {
    next,
    async take(count) {
      const events: ReadEvent[] = [];
      while (events.length < count) {
        const event = await next();
        if (event === undefined) break;
        events.push(event);
      }
      return events;
    },
    text: () => text,
    cancel: () => reader.cancel(),
  };
}

function parseBlock(block: string): ReadEvent | undefined {
  const event: ReadEvent = {};
  for (const line of block.split("\n")) {
    const [, field, value = ""] = /^(id|event|data): (.*)$/s.exec(line) ?? [];
    if (field === "id") event.id = value;
    if (field === "event") event.event = value;
    if (field === "data") event.data = JSON.parse(value);
  }
  return Object.keys(event).length === 0 ? undefined : event;
}
