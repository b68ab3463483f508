/** What a server has opened, to be closed in reverse order. */
export interface Cleanup {
  add(step: () => unknown): void;
  /** Closes everything once; the next call does nothing. */
  run(): Promise<void>;
}

export function createCleanup(): Cleanup {
  const steps: (() => unknown)[] = [];
  return {
    add: (step) => void steps.push(step),
    async run() {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}
