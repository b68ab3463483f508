import { setTimeout as delay } from "node:timers/promises";
import { openBrowser } from "../agents/open-browser.mjs";
import { withReplayingServer } from "../agents/replaying-server.mjs";
import { measureClickWork } from "./click-work.mjs";
import { measureContext } from "./context.mjs";
import { measureLongTasks } from "./long-tasks.mjs";
import { measureOpening } from "./opening.mjs";
import { measureReaction } from "./reaction.mjs";
import { measureScrolling } from "./scrolling.mjs";

const defaults = { short: 50, long: 100_000, settleMs: 5000, rounds: 5, contexts: [1_000, 10_000], seconds: 10 };

/** A conversation of 100,000 messages: what it costs the server to ingest it, and a browser to show it. */
export async function measureWeb({ short, long, settleMs, rounds, contexts, seconds } = defaults) {
  return withReplayingServer(async (server) => {
    await delay(settleMs);
    const memoryBefore = server.residentMegabytes();
    const [few, many, busy] = [await server.createTask("Few"), await server.createTask("Many"), await server.createTask("Busy")];
    // a call and its result are one message
    const toLines = (messages) => Math.ceil((messages * 4) / 3);
    for (const [task, messages] of [
      [few, short],
      [many, long],
    ]) {
      const startedAt = performance.now();
      await server.start(task, { lines: toLines(messages), pauseMs: 0 });
      await server.waitUntilEnded(task);
      if (task === many) console.log(`${long} messages were ingested in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    }
    await delay(settleMs);
    const grown = server.residentMegabytes() - memoryBefore;
    const browser = await openBrowser();
    try {
      await browser.visit((await server.request("POST", "/api/launch-codes", {})).url, server.url);
      return [
        {
          name: `server's memory after ${long.toLocaleString("en")} messages`,
          value: grown,
          unit: "MB",
          target: 100,
          note: "more than at its start, once it is idle",
        },
        ...(await measureReaction({ server, browser, task: few, rounds: 2 * rounds - 1 })),
        await measureClickWork({ server, browser, task: few, rounds: 2 * rounds - 1 }),
        ...(await measureOpening({ server, browser, few, many, rounds })),
        ...(await measureContext({ server, browser, contexts, rounds })),
        ...(await measureLongTasks({ server, browser, task: busy, seconds })),
        ...(await measureScrolling({ server, browser, task: many, messages: long })),
      ];
    } finally {
      await browser.close();
    }
  });
}
