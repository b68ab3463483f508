import type { SequencedEvent } from "@skein/contracts";
import type { StorageLogger } from "./storage-logger.ts";

type Listener = (events: readonly SequencedEvent[]) => void;

/** Publishes committed events. A listener that throws does not affect the others. */
export class EventPublisher {
  readonly #listeners = new Set<{ listener: Listener }>();
  readonly #logger: StorageLogger | undefined;

  constructor(logger: StorageLogger | undefined) {
    this.#logger = logger;
  }

  subscribe(listener: Listener): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  publish(events: readonly SequencedEvent[]): void {
    for (const { listener } of this.#listeners) {
      try {
        listener(events);
      } catch (error) {
        this.#logger?.error({ err: error, firstSeq: events[0]?.seq }, "A listener of committed events threw");
      }
    }
  }
}
