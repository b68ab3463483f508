import type { SkeinEvent } from "@skein/contracts";

/** An event on its way to a client. Without `seq` it is live: shown from memory, not yet committed. */
export interface Delivery {
  seq?: number;
  event: SkeinEvent;
}
