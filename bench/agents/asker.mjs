import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/**
 * Requests a route again and again from a separate thread, with a pause in between. `until` resolves with how long each request
 * took while `work` ran: see `asking-thread.mjs`.
 */
export function createAsker({ url, headers, pid }, route, { pauseMs = 20 } = {}) {
  const workerData = { url: new URL(route, url).href, headers, pid, pauseMs };
  const thread = new Worker(new URL("./asking-thread.mjs", import.meta.url), { workerData });
  const takeWaits = async () => {
    thread.postMessage("take");
    const [waits] = await once(thread, "message");
    return waits;
  };
  return {
    async until(work) {
      await takeWaits();
      await work;
      let waits = await takeWaits();
      // the work may be shorter than the first request
      for (; waits.length === 0; waits = await takeWaits()) await delay(pauseMs);
      return waits;
    },
    close: () => thread.terminate(),
  };
}
