/** A server-sent event as it arrived; `id` is undefined for an event without one. */
export interface ServerEvent {
  type: string;
  data: string;
  id: string | undefined;
}

/** Reads the body of a response of type `text/event-stream`. An event that was cut off at the end is dropped, as the standard says. */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  /** The line that has not ended yet: a long one arrives in many parts, which are joined once. */
  let rest: string[] = [];
  let event = newEvent();
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      // a carriage return at the end of a part may belong to a line feed at the start of the next
      const hasEnded = rest.at(-1)?.endsWith("\r") ?? false;
      rest.push(part.value);
      if (!hasEnded && !/[\r\n]/.test(part.value)) continue;
      const lines = rest.join("").split(/\r\n|\n|\r(?!$)/);
      rest = [lines.pop() ?? ""];
      for (const line of lines) {
        if (line !== "") readField(event, line);
        else {
          if (event.lines.length > 0) yield { type: event.type || "message", data: event.lines.join("\n"), id: event.id };
          event = newEvent();
        }
      }
    }
  } finally {
    // also when the caller stops reading: the connection must not stay
    await reader.cancel().catch(() => {});
  }
}

interface OpenEvent {
  type: string;
  lines: string[];
  id: string | undefined;
}

const newEvent = (): OpenEvent => ({ type: "", lines: [], id: undefined });

function readField(event: OpenEvent, line: string): void {
  const colon = line.indexOf(":");
  // a comment
  if (colon === 0) return;
  const name = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (name === "event") event.type = value;
  if (name === "data") event.lines.push(value);
  if (name === "id" && !value.includes("\0")) event.id = value;
}
