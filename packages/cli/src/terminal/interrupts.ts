/** npm forwards Ctrl-C to its script, which already gets it from the terminal: signals within this time count as one. */
const sameKeyMs = 400;

/** Calls back for each Ctrl-C or SIGTERM with its number, from 1. Disposing it restores the default behaviour. */
export function onInterrupt(listener: (count: number) => void): Disposable {
  let count = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  const handle = () => {
    const now = performance.now();
    if (now - lastAt < sameKeyMs) return;
    lastAt = now;
    listener(++count);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, handle);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, handle);
    },
  };
}
