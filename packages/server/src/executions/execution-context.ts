import type { Storage } from "@skein/engine";
import type { EventHub } from "../events/event-hub.ts";
import type { Logger } from "../logger.ts";

/** What everything about executions shares. */
export interface ExecutionContext {
  storage: Storage;
  hub: EventHub;
  logger: Logger;
  now(): number;
}
