import { quantile } from "../agents/delay-listener.mjs";
import { longestWait, toWaitResult } from "./longest-wait.mjs";

/** The Context pane: the time until its newest message is visible, then until all are loaded; and how long other requests wait. */
export async function measureContext({ server, browser, contexts: [few, many], rounds }) {
  const tasks = { [few]: await server.createTask("A thousand"), [many]: await server.createTask("Ten thousand") };
  for (const [lines, task] of Object.entries(tasks)) {
    await server.start(task, { lines: Number(lines), pauseMs: 0 });
    await server.waitUntilEnded(task);
  }
  const opening = { [few]: [], [many]: [] };
  const loading = { [few]: [], [many]: [] };
  const waits = { idle: [], busy: [] };
  for (let round = 0; round < rounds; round++) {
    waits.idle.push(await longestWait(server, () => new Promise((resolve) => setTimeout(resolve, 500))));
    for (const count of [few, many]) {
      const measure = async () => {
        opening[count].push(await openPane(browser.page, server, tasks[count]));
        loading[count].push(await loadAll(browser.page));
      };
      if (count === many) waits.busy.push(await longestWait(server, measure));
      else await measure();
    }
  }
  const median = (times) => quantile(times, 0.5);
  const [openFew, openMany] = [median(opening[few]), median(opening[many])];
  const [loadFew, loadMany] = [median(loading[few]), median(loading[many])];
  return [
    {
      name: `opening the context of ${many.toLocaleString("en")} messages`,
      value: openMany / openFew,
      unit: "×",
      target: 1.5,
      note: `${openMany.toFixed(0)} ms against ${openFew.toFixed(0)} ms for ${few.toLocaleString("en")}`,
    },
    {
      name: "loading all of it, per message",
      value: loadMany / many / (loadFew / few),
      unit: "×",
      target: 1.5,
      note: `${loadMany.toFixed(0)} ms against ${loadFew.toFixed(0)} ms for ${few.toLocaleString("en")}`,
    },
    toWaitResult(waits),
  ];
}

async function openPane(page, server, task) {
  await page.goto("about:blank");
  const startedAt = performance.now();
  await page.goto(`${server.url}/t/${task.id}?view=context`, { waitUntil: "commit" });
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll("li[data-index]")].at(-1)?.getBoundingClientRect();
    return last !== undefined && last.height > 0 && last.bottom <= innerHeight && last.top >= 0;
  });
  return performance.now() - startedAt;
}

async function loadAll(page) {
  const button = page.getByRole("button", { name: "Load all" });
  const startedAt = performance.now();
  await button.evaluate((element) => element.click());
  await button.waitFor({ state: "detached", timeout: 120_000 });
  return performance.now() - startedAt;
}
