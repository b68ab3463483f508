import { quantile } from "../agents/delay-listener.mjs";
import { longestWait, toWaitResult } from "./longest-wait.mjs";

/** From the navigation until the last message is visible; and how long other requests waited meanwhile. */
export async function measureOpening({ server, browser, few, many, rounds }) {
  const times = { few: [], many: [] };
  const waits = { idle: [], busy: [] };
  for (let round = 0; round < rounds; round++) {
    waits.idle.push(await longestWait(server, () => new Promise((resolve) => setTimeout(resolve, 500))));
    times.few.push(await open(browser.page, server, few));
    waits.busy.push(
      await longestWait(server, async () => {
        times.many.push(await open(browser.page, server, many));
      }),
    );
  }
  const [fewMs, manyMs] = [quantile(times.few, 0.5), quantile(times.many, 0.5)];
  const note = `${manyMs.toFixed(0)} ms against ${fewMs.toFixed(0)} ms for 50`;
  return [{ name: "opening 100,000 messages", value: manyMs / fewMs, unit: "×", target: 1.5, note }, toWaitResult(waits)];
}

async function open(page, server, task) {
  await page.goto("about:blank");
  const startedAt = performance.now();
  await page.goto(`${server.url}/t/${task.id}`, { waitUntil: "commit" });
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll("[data-message-id]")].at(-1)?.getBoundingClientRect();
    return last !== undefined && last.height > 0 && last.bottom <= innerHeight && last.top >= 0;
  });
  return performance.now() - startedAt;
}
