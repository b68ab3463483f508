import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../random.mjs";
import type { Load } from "./load.ts";
import type { Requests } from "./requests.ts";

/** Users who look around: pages that a browser loads, five times a second. */
export function startProber({ load, requests, random }: { load: Load; requests: Requests; random: Random }): { stop(): Promise<void> } {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      await wait(200);
      const run = load.runs.length === 0 ? undefined : random.pick(load.runs);
      if (run === undefined) continue;
      const path = random.pick([
        "/api/tasks",
        `/api/tasks/${run.taskId}`,
        `/api/tasks/${run.taskId}/conversation?limit=50`,
        "/api/workers",
      ]);
      await requests.send("GET", path).catch(() => {});
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
