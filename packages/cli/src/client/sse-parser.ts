export interface SseEvent {
  /** `message` where the stream does not name one. */
  event: string;
  data: string;
  /** The event's own id; a browser would repeat the last one for an event that has none. */
  id: string | undefined;
}

export interface SseParser {
  /** Takes the next piece of the stream, cut anywhere, and gives the events that it completes. */
  push(text: string): SseEvent[];
}

/** Reads `text/event-stream` as the HTML standard defines it, except `retry`, which the caller decides. */
export function createSseParser(): SseParser {
  let rest = "";
  let atStart = true;
  let id: string | undefined;
  let event = "";
  let data: string[] = [];

  function takeLine(line: string): SseEvent | undefined {
    if (line === "") return dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) id = value;
    return undefined;
  }

  function dispatch(): SseEvent | undefined {
    const completed = data.length === 0 ? undefined : { event: event === "" ? "message" : event, data: data.join("\n"), id };
    event = "";
    data = [];
    id = undefined;
    return completed;
  }

  return {
    push(text) {
      rest += atStart ? text.replace(/^\uFEFF/, "") : text;
      if (text !== "") atStart = false;
      const events: SseEvent[] = [];
      for (let end = lineEnd(rest); end !== undefined; end = lineEnd(rest)) {
        const completed = takeLine(rest.slice(0, end.at));
        if (completed !== undefined) events.push(completed);
        rest = rest.slice(end.next);
      }
      return events;
    },
  };
}

/** A carriage return at the very end waits for the next piece: the line feed that belongs to it may be there. */
function lineEnd(text: string): { at: number; next: number } | undefined {
  const at = text.search(/[\r\n]/);
  if (at === -1) return undefined;
  if (text[at] === "\n") return { at, next: at + 1 };
  if (at + 1 === text.length) return undefined;
  return { at, next: text[at + 1] === "\n" ? at + 2 : at + 1 };
}
