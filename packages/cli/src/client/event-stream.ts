import { setTimeout as delay } from "node:timers/promises";
import { type Delivery, eventSchema, type Health, healthSchema, type TaskId } from "@skein/contracts";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { CliError } from "../cli-error.ts";
import { type ApiClient, ApiError } from "./api-client.ts";

interface StreamOptions {
  taskId: TaskId;
  after: number;
  signal: AbortSignal;
  /** Called when the server cannot store anything, and when it can again. */
  onHealth?: (health: Health) => void;
}

const firstDelayMs = 200;
const longestDelayMs = 5_000;
const attempts = 8;

/**
 * All events after `after` that concern one task, in order, until `signal` aborts. A broken stream is resumed after the
 * last sequence number received, so no committed event is missed or delivered twice.
 */
export async function* followEvents(
  client: ApiClient,
  { taskId, after, signal, onHealth = () => {} }: StreamOptions,
): AsyncGenerator<Delivery> {
  let last = after;
  let failures = 0;
  while (!signal.aborted) {
    try {
      for await (const received of readStream(client, { taskId, after: last, signal, onHealth })) {
        failures = 0;
        if (received.seq !== undefined) {
          if (received.seq <= last) continue;
          last = received.seq;
        }
        yield received;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError) throw error;
      if (++failures >= attempts) {
        throw new CliError("The connection to the Skein server was lost.", {
          hint: "The agent keeps running. Once the server is back: skein tasks",
          cause: error,
        });
      }
    }
    await delay(Math.min(firstDelayMs * 2 ** failures, longestDelayMs), undefined, { signal }).catch(() => {});
  }
}

async function* readStream(client: ApiClient, { taskId, after, signal, onHealth }: Required<StreamOptions>): AsyncGenerator<Delivery> {
  const query = new URLSearchParams({ after: String(after), taskId, mergeMode: "live" });
  const response = await client.request(`/api/events?${query}`, { headers: { accept: "text/event-stream" }, signal });
  if (response.body === null) return;
  for await (const { event, data, id } of response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
    const health = event === "server:health" ? healthSchema.safeParse(JSON.parse(data)).data : undefined;
    if (health !== undefined) onHealth(health);
    const received = parseEvent(data, id);
    if (received !== undefined && "taskId" in received.event && received.event.taskId === taskId) yield received;
  }
}

/** Skips events of a newer server that this program does not know. */
function parseEvent(data: string, id: string | undefined): Delivery | undefined {
  const parsed = eventSchema.safeParse(JSON.parse(data));
  if (!parsed.success) return undefined;
  return id === undefined ? { event: parsed.data } : { seq: Number(id), event: parsed.data };
}
