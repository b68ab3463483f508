import { followEvents as follow, type ServerEvent } from "@skein/client";
import { type Delivery, eventSchema, type Health, healthSchema, type SkeinEvent, type TaskId } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { type ApiClient, ApiError } from "./api-client.ts";

interface StreamOptions {
  taskId: TaskId;
  after: number;
  signal: AbortSignal;
  /** Called when the server cannot store anything, and when it can again. */
  onHealth?: (health: Health) => void;
}

/**
 * All events after `after` that concern one task, in order, until `signal` aborts. A broken stream is resumed after the
 * last sequence number received, so no committed event is missed or delivered twice.
 */
export async function* followEvents(
  client: ApiClient,
  { taskId, after, signal, onHealth = () => {} }: StreamOptions,
): AsyncGenerator<Delivery> {
  /** Skips events of other tasks, and of a newer server that this program does not know. */
  const parse = ({ type, data }: ServerEvent): SkeinEvent | undefined => {
    const value: unknown = JSON.parse(data);
    const health = type === "server:health" ? healthSchema.safeParse(value).data : undefined;
    if (health !== undefined) onHealth(health);
    const event = eventSchema.safeParse(value).data;
    return event !== undefined && "taskId" in event && event.taskId === taskId ? event : undefined;
  };
  try {
    for await (const { seq, event } of follow({ send: client.request }, { after, taskId, signal, parse, isFatal: isRefusal })) {
      yield seq === undefined ? { event } : { seq, event };
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new CliError("The connection to the Skein server was lost.", {
      hint: "The agent keeps running. Once the server is back: skein tasks",
      cause: error,
    });
  }
}

const isRefusal = (error: unknown): boolean => error instanceof ApiError;
