/** Limits concurrency: runs at most `count` jobs at a time, in order of arrival. */
export function createConcurrencyLimit(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // the slot is handed over directly, so that no later work overtakes
      if (next) next();
      else running -= 1;
    }
  };
}
