import { quantile } from "../agents/delay-listener.mjs";

const rounds = 5;

/** From the navigation until the last message is visible; and how long other requests waited meanwhile. */
export async function measureOpening({ server, browser, few, many }) {
  const times = { few: [], many: [] };
  const waits = { idle: [], opening: [] };
  for (let round = 0; round < rounds; round++) {
    waits.idle.push(await longestWait(server, () => new Promise((resolve) => setTimeout(resolve, 500))));
    times.few.push(await open(browser.page, server, few));
    waits.opening.push(
      await longestWait(server, async () => {
        times.many.push(await open(browser.page, server, many));
      }),
    );
  }
  const [fewMs, manyMs] = [quantile(times.few, 0.5), quantile(times.many, 0.5)];
  const stalled = quantile(waits.opening, 0.5) - quantile(waits.idle, 0.5);
  const note = `${manyMs.toFixed(0)} ms against ${fewMs.toFixed(0)} ms for 50`;
  return [
    { name: "opening 100,000 messages", value: manyMs / fewMs, unit: "×", target: 1.5, note },
    { name: "another request waits meanwhile", value: stalled, unit: "ms", target: 50, note: "longest wait, more than when idle" },
  ];
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

/** Of requests that are sent one after another while `work` is done. */
export async function longestWait(server, work) {
  let isDone = false;
  let longest = 0;
  const asking = (async () => {
    while (!isDone) {
      const askedAt = performance.now();
      await (await fetch(`${server.url}/api/health`)).arrayBuffer();
      longest = Math.max(longest, performance.now() - askedAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await work();
  isDone = true;
  await asking;
  return longest;
}
