import type { Delivery } from "@skein/contracts";

/** Passes deliveries to all listeners, in order. A listener that throws does not affect the others. */
export interface EventHub {
  publish(delivery: Delivery): void;
  subscribe(listener: (delivery: Delivery) => void): () => void;
}

export function createEventHub(onListenerError: (error: unknown) => void): EventHub {
  const listeners = new Set<(delivery: Delivery) => void>();
  return {
    publish(delivery) {
      for (const listener of listeners) {
        try {
          listener(delivery);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
