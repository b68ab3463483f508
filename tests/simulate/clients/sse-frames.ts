/** One server-sent event, not parsed further: most clients only need its number. */
export interface SseFrame {
  id: number | undefined;
  event: string | undefined;
  data: string;
}

/** Splits a stream of server-sent events into frames. */
export class SseFrames {
  #rest = "";

  *read(chunk: string): Generator<SseFrame> {
    const text = this.#rest + chunk;
    let start = 0;
    for (let end = text.indexOf("\n\n", start); end >= 0; end = text.indexOf("\n\n", start)) {
      const frame = toFrame(text, start, end);
      if (frame !== undefined) yield frame;
      start = end + 2;
    }
    this.#rest = text.slice(start);
  }
}

function toFrame(text: string, start: number, end: number): SseFrame | undefined {
  const frame: SseFrame = { id: undefined, event: undefined, data: "" };
  for (let at = start; at < end; ) {
    const newline = text.indexOf("\n", at);
    const lineEnd = newline < 0 || newline > end ? end : newline;
    if (text.startsWith("id: ", at)) frame.id = Number(text.slice(at + 4, lineEnd));
    else if (text.startsWith("event: ", at)) frame.event = text.slice(at + 7, lineEnd);
    else if (text.startsWith("data: ", at)) frame.data = text.slice(at + 6, lineEnd);
    at = lineEnd + 1;
  }
  return frame.id === undefined && frame.event === undefined ? undefined : frame;
}
