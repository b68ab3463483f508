import type { SkeinEvent } from "@skein/contracts";
import type { ApiClient } from "./api-client.ts";

export interface SeenEvent {
  seq: number | undefined;
  event: SkeinEvent;
}

export interface EventStream {
  readonly seen: SeenEvent[];
  /** The sequence number of the last committed event seen. */
  readonly lastSeq: number | undefined;
  /** Resolves with the first matching event, past or future; rejects when the stream ends before. */
  waitFor(predicate: (seen: SeenEvent) => boolean): Promise<SeenEvent>;
  close(): void;
  readonly ended: Promise<void>;
}

export async function openEventStream(
  api: ApiClient,
  options: { after?: number; lastEventId?: number; query?: string } = {},
): Promise<EventStream> {
  const abort = new AbortController();
  const query = [options.query ?? [], options.after === undefined ? [] : `after=${options.after}`].flat().join("&");
  const response = await fetch(new URL(`/api/events?${query}`, api.url), {
    headers: { ...api.headers, ...(options.lastEventId === undefined ? {} : { "last-event-id": String(options.lastEventId) }) },
    signal: abort.signal,
  });
  const { body } = response;
  if (!response.ok || body === null) throw new Error(`no event stream: ${response.status}`);
  const seen: SeenEvent[] = [];
  const waiting = new Set<() => void>();
  let isEnded = false;
  const ended = (async () => {
    let rest = "";
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        const frames = (rest + chunk).split("\n\n");
        rest = frames.pop() ?? "";
        seen.push(...frames.flatMap(parseFrame));
        for (const check of waiting) check();
      }
    } catch {
      // the server was killed or we closed it
    }
    isEnded = true;
    for (const check of waiting) check();
  })();

  return {
    seen,
    ended,
    get lastSeq() {
      return seen.findLast((entry) => entry.seq !== undefined)?.seq;
    },
    waitFor: (predicate) =>
      new Promise((resolve, reject) => {
        let checked = 0;
        const check = (): void => {
          for (; checked < seen.length; checked++) {
            const entry = seen[checked];
            if (entry !== undefined && predicate(entry)) {
              waiting.delete(check);
              resolve(entry);
              return;
            }
          }
          if (isEnded) {
            waiting.delete(check);
            reject(new Error("the event stream ended before"));
          }
        };
        waiting.add(check);
        check();
      }),
    close: () => abort.abort(),
  };
}

function parseFrame(frame: string): SeenEvent[] {
  const fields = new Map(
    frame.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trimStart()]),
  );
  const data = fields.get("data");
  if (data === undefined) return [];
  const id = fields.get("id");
  const event = JSON.parse(data) as SkeinEvent;
  if (event.type !== fields.get("event")) throw new Error(`frame named ${fields.get("event")} carries ${event.type}`);
  return [{ seq: id === undefined ? undefined : Number(id), event }];
}
