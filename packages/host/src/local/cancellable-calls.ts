/** Long calls that can be cancelled by their ids. */
export interface CancellableCalls {
  /** The signal aborts when the call is cancelled. */
  run<T>(callId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** No effect if the call has ended. */
  cancel(callId: string): void;
}

export function createCancellableCalls(): CancellableCalls {
  const running = new Map<string, AbortController>();
  return {
    async run(callId, work) {
      const controller = new AbortController();
      running.set(callId, controller);
      try {
        return await work(controller.signal);
      } finally {
        running.delete(callId);
      }
    },
    cancel: (callId) => running.get(callId)?.abort(),
  };
}
