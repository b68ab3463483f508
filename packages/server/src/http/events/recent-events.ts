import type { Delivery } from "@skein/contracts";
import { toSharedFrame } from "./sse-frame.ts";

export type CommittedDelivery = Delivery & { seq: number };

export function isCommitted(delivery: Delivery): delivery is CommittedDelivery {
  return delivery.seq !== undefined;
}

/**
 * Committed events that arrive while older ones are being replayed. Bounded: the oldest are dropped, because storage has them.
 * Contains every event after `coveredFrom`.
 */
export interface RecentEvents {
  readonly coveredFrom: number;
  add(delivery: CommittedDelivery): void;
  /** Removes and returns all events, in order. */
  take(): CommittedDelivery[];
  /** Events up to `seq` have to be read from storage. */
  startAt(seq: number): void;
}

export function createRecentEvents(options: { maxBytes: number }): RecentEvents {
  let kept: CommittedDelivery[] = [];
  let bytes = 0;
  let coveredFrom = 0;
  return {
    get coveredFrom() {
      return coveredFrom;
    },
    startAt(seq) {
      coveredFrom = Math.max(coveredFrom, seq);
    },
    add(delivery) {
      kept.push(delivery);
      bytes += toSharedFrame(delivery).byteLength;
      let dropped = 0;
      while (bytes > options.maxBytes && dropped < kept.length) {
        const oldest = kept[dropped];
        if (oldest === undefined) break;
        bytes -= toSharedFrame(oldest).byteLength;
        coveredFrom = Math.max(coveredFrom, oldest.seq);
        dropped += 1;
      }
      kept = dropped === 0 ? kept : kept.slice(dropped);
    },
    take() {
      const taken = kept;
      kept = [];
      bytes = 0;
      return taken;
    },
  };
}
