import type { SkeinClient } from "./create-client.ts";
import { SkeinError } from "./errors.ts";
import { readServerEvents, type ServerEvent } from "./read-server-events.ts";
import type { SkeinEvent } from "./routes.ts";

/** An event of the server. `seq` is its number; undefined for an update that is not committed yet and is sent again with one. */
export interface FollowedEvent<Event> {
  seq: number | undefined;
  /** The name of the event, such as `message:added`. */
  type: string;
  event: Event;
}

export interface FollowOptions<Event> {
  /** Events after this number; default: only new ones. */
  after?: number | undefined;
  /** Only events of this task. */
  taskId?: string | undefined;
  mergeMode?: "live" | "on-complete" | "off" | undefined;
  signal?: AbortSignal | undefined;
  /** Reads the data of an event; undefined skips it, such as one of a newer server. Default: parsed JSON. */
  parse?: ((received: ServerEvent) => Event | undefined) | undefined;
  /** Whether to give up at once after an error; default: after `SkeinError`, because the server has refused the stream. */
  isFatal?: ((error: unknown) => boolean) | undefined;
  /** How often in a row the connection may fail; default 8. */
  attempts?: number | undefined;
}

const firstDelayMs = 200;
const longestDelayMs = 5000;

/**
 * Events of the server in order, until `signal` aborts. A broken stream is resumed after the last number that was received: no committed event is
 * missed or repeated. Throws `SkeinError` if the server refuses the stream, and the last error if it cannot be reached.
 *
 * @example for await (const { type, event } of followEvents(client, { taskId })) console.log(type, event);
 */
export async function* followEvents<Event = SkeinEvent>(
  client: Pick<SkeinClient, "send">,
  { after, taskId, mergeMode = "live", signal, parse = parseData, isFatal = isRefusal, attempts = 8 }: FollowOptions<Event> = {},
): AsyncGenerator<FollowedEvent<Event>, void> {
  let last = after;
  let failures = 0;
  while (!signal?.aborted) {
    try {
      const query = new URLSearchParams();
      if (last !== undefined) query.set("after", String(last));
      if (taskId !== undefined) query.set("taskId", taskId);
      query.set("mergeMode", mergeMode);
      const init = { headers: { accept: "text/event-stream" }, ...(signal === undefined ? {} : { signal }) };
      const { body } = await client.send(`/api/events?${query}`, init);
      if (body === null) return;
      for await (const received of readServerEvents(body)) {
        failures = 0;
        const seq = received.id === undefined ? undefined : Number(received.id);
        if (seq !== undefined && last !== undefined && seq <= last) continue;
        const event = parse(received);
        if (event !== undefined) yield { seq, type: received.type, event };
        if (seq !== undefined) last = seq;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFatal(error) || ++failures >= attempts) throw error;
    }
    await pause(Math.min(firstDelayMs * 2 ** failures, longestDelayMs), signal);
  }
}

const isRefusal = (error: unknown): boolean => error instanceof SkeinError;

function parseData<Event>({ data }: ServerEvent): Event {
  return JSON.parse(data) as Event;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
