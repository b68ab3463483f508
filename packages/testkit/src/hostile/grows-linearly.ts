/** Work that takes less than this is fast enough, whatever its growth. */
const leastMs = 2;
/** Eight times the text takes about 8 times as long, or 64 times if the time grows quadratically. */
const maxGrowth = 40;

/**
 * Whether the time of `work` grows linearly with the length of its text: it is called with `size` and with eight times
 * that. Measures CPU time of this thread, so that a busy machine does not matter; the larger size is retried because of the garbage collector.
 */
export function growsLinearly(work: (size: number) => void, { size }: { size: number }): boolean {
  const small = Math.max(leastMs, Math.min(measure(work, size), measure(work, size)));
  for (let tries = 0; tries < 4; tries++) if (measure(work, size * 8) / small < maxGrowth) return true;
  return false;
}

function measure(work: (size: number) => void, size: number): number {
  const before = process.threadCpuUsage();
  work(size);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
