import { readFileSync } from "node:fs";
import type { RealServer } from "./real-server.ts";

export interface Observation<T> {
  result: T;
  durationMs: number;
  /** Durations of small requests that were sent one after another meanwhile. */
  longestWaitMs: number;
  /** The server's peak memory growth, in bytes. */
  memoryGrowth: number;
}

/** How `work` affects other clients of a server. */
export async function observeServer<T>(server: RealServer, work: () => Promise<T>): Promise<Observation<T>> {
  const before = readResidentBytes(server.pid);
  let [largest, longestWaitMs, isDone] = [before, 0, false];
  const asking = (async () => {
    while (!isDone) {
      const askedAt = performance.now();
      await (await fetch(`${server.url}/api/health`)).arrayBuffer();
      longestWaitMs = Math.max(longestWaitMs, performance.now() - askedAt);
      largest = Math.max(largest, readResidentBytes(server.pid));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  const startedAt = performance.now();
  try {
    const result = await work();
    const durationMs = performance.now() - startedAt;
    isDone = true;
    await asking;
    return { result, durationMs, longestWaitMs, memoryGrowth: largest - before };
  } finally {
    isDone = true;
  }
}

function readResidentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}
