import type { SequencedEvent } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import type { EventPublisher } from "../event-publisher.ts";
import type { StorageLogger } from "../storage-logger.ts";

const eventsAtOnce = 500;

/**
 * Publishes the events of all nodes in the order of their numbers, each once. Those of this node are published from memory if nothing of
 * another node is in between; all others are read from the database. Transactions are committed in the order of their event numbers, so
 * nothing is ever added before what was read.
 */
export class EventFeed {
  readonly #publisher: EventPublisher;
  readonly #read: Pick<StorageReader, "listEvents" | "getLastSeq">;
  readonly #logger: StorageLogger | undefined;
  /** Everything up to this number is published. */
  #cursor = 0;
  #reading: Promise<void> | undefined;
  #isWanted = false;
  #isClosed = false;

  constructor(options: {
    publisher: EventPublisher;
    read: Pick<StorageReader, "listEvents" | "getLastSeq">;
    logger: StorageLogger | undefined;
  }) {
    this.#publisher = options.publisher;
    this.#read = options.read;
    this.#logger = options.logger;
  }

  /** Begins after the last event that is committed now. */
  async start(): Promise<void> {
    this.#cursor = await this.#read.getLastSeq();
  }

  /** Events that this node has committed, and the number of the last one before them. */
  addOwn(events: readonly SequencedEvent[], seqBefore: number): void {
    if (this.#reading === undefined && seqBefore === this.#cursor) this.#publish(events);
    else this.wake();
  }

  /** Something up to `seq`, or anything, may have been committed by another node. */
  wake(seq = Number.POSITIVE_INFINITY): void {
    if (this.#isClosed || seq <= this.#cursor) return;
    this.#isWanted = true;
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = undefined;
      if (this.#isWanted) this.wake();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reading;
  }

  async #readOn(): Promise<void> {
    try {
      while (this.#isWanted && !this.#isClosed) {
        this.#isWanted = false;
        // read first: what is committed later has a higher number, and its own notification
        const last = await this.#read.getLastSeq();
        while (this.#cursor < last && !this.#isClosed) {
          const events = await this.#read.listEvents({ after: this.#cursor, limit: eventsAtOnce });
          this.#publish(events);
          // events of deleted subjects are not listed
          if (events.length < eventsAtOnce) this.#cursor = Math.max(this.#cursor, last);
        }
      }
    } catch (error) {
      // the next notification, commit or poll reads them
      this.#isWanted = false;
      this.#logger?.error({ err: error }, "Events of other servers could not be read");
    }
  }

  #publish(events: readonly SequencedEvent[]): void {
    const fresh = events.filter(({ seq }) => seq > this.#cursor);
    const last = fresh.at(-1);
    if (last === undefined) return;
    this.#cursor = last.seq;
    this.#publisher.publish(fresh);
  }
}
