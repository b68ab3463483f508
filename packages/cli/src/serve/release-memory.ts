import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const lookEveryMs = 2000;
/** The part of an interval that a process at rest spends at work, at most. */
const restingUtilization = 0.02;
const worthwhileBytes = 16 * 1024 * 1024;

/**
 * Returns memory to the system whenever the process comes to rest: after its start, and after work such as a long log. V8 would keep
 * the pages of its garbage, over 100 MB after 100,000 messages, until it needs them. An ordinary collection frees objects and keeps
 * the pages; this one frees both and takes about 50 ms, in which nothing else runs: hence only at rest, and only if the heap has
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
