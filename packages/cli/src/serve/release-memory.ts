import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const lookEveryMs = 2000;
/** An idle process is busy for at most this fraction of an interval. */
const restingUtilization = 0.02;
const worthwhileBytes = 16 * 1024 * 1024;

/**
 * Returns memory to the system whenever the process becomes idle: after its start, and after work such as a long log. V8 would keep
 * the pages of its garbage, over 100 MB after 100,000 messages, until it needs them. An ordinary collection frees objects and keeps
 * the pages; this one frees both and blocks for about 50 ms: hence only when idle, and only if the heap has
 * grown by 16 MB since the last time.
 */
export function releaseMemoryAtRest(): void {
  const collect = createCollector();
  let releasedTo = 0;
  let last = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > restingUtilization || getHeapStatistics().total_heap_size < releasedTo + worthwhileBytes) return;
    collect();
    releasedTo = getHeapStatistics().total_heap_size;
  }, lookEveryMs).unref();
}

function createCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { type: "major"; flavor: "last-resort" }) => void;
  setFlagsFromString("--no-expose-gc");
  return () => collect({ type: "major", flavor: "last-resort" });
}
