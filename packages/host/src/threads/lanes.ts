/** Runs works one after another in so many lanes: a board that asks about all its tasks at once must not start a hundred programs. */
export function createLanes(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // the lane is handed over, so nobody gets in between
      if (next) next();
      else running -= 1;
    }
  };
}
