import { setTimeout as delay } from "node:timers/promises";
import { createAsker } from "../agents/asker.mjs";
import { quantile } from "../agents/delay-listener.mjs";

/**
 * The longest wait of requests that are sent one after another while `work` is done, as `{ ms, ofServer }`: on the clock, and
 * without the time in which the server had no processor, which a browser on the same machine takes from it.
 */
export async function longestWait(server, work) {
  const asker = createAsker(server, "/api/health", { pauseMs: 5 });
  try {
    await asker.until(delay(50)); // the thread has started
    const waits = await asker.until(work());
    const longest = (field) => Math.max(...waits.map((wait) => wait[field]));
    return { ms: longest("ms"), ofServer: longest("ofServer") };
  } finally {
    await asker.close();
  }
}

/** How much longer other requests waited than on the idle server: the medians of several rounds. */
export function toWaitResult({ idle, busy }) {
  const more = (field) => median(busy, field) - median(idle, field);
  return {
    name: "another request waits meanwhile",
    value: more("ofServer"),
    unit: "ms",
    target: 50,
    note: `longest wait, more than when idle, without waits for a processor; on the clock ${more("ms").toFixed(0)} ms`,
  };
}

function median(waits, field) {
  return quantile(
    waits.map((wait) => wait[field]),
    0.5,
  );
}
