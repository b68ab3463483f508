/** The target duration of a transaction; the number of messages adapts to it. */
const writeMs = 6;
const first = 100;
const [smallest, largest] = [50, 600];

/** How many messages an import writes in one transaction, so that other work waits only briefly. */
export class AdaptiveBatch {
  #size = first;

  get size(): number {
    return this.#size;
  }

  /** Call it inside of a transaction; the result reports its CPU time. Not the clock: on a busy machine, batches would become ever smaller. */
  measure(): () => void {
    const before = process.threadCpuUsage();
    return () => {
      const { user, system } = process.threadCpuUsage(before);
      const factor = Math.min(2, Math.max(0.5, writeMs / Math.max((user + system) / 1000, 0.1)));
      this.#size = Math.min(largest, Math.max(smallest, Math.round(this.#size * factor)));
    };
  }
}
