/** npm passes Ctrl-C on to its script, which the terminal already told: both arrive within a moment and are one. */
const sameKeyMs = 400;

/** Calls back for each Ctrl-C or SIGTERM with its number, from 1. Disposing it gives the signals their usual meaning back. */
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
