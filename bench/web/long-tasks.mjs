const perSecond = 200;
const seconds = 10;

/** The page of a task whose agent writes 200 lines a second: tasks of the browser's main thread that took longer than 50 ms. */
export async function measureLongTasks({ server, browser, task }) {
  const { page } = browser;
  await page.goto(`${server.url}/t/${task.id}`);
  await page.waitForLoadState("networkidle").catch(() => {});
  await page.evaluate(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
    }).observe({ type: "longtask" });
  });
  await server.start(task, { lines: perSecond * seconds, pauseMs: 1000 / perSecond });
  await server.waitUntilEnded(task);
  const durations = await page.evaluate(() => globalThis.longTasks);
  const note = `longest ${Math.max(0, ...durations).toFixed(0)} ms, at ${perSecond} events/s for ${seconds} s`;
  return [{ name: "long tasks in the browser", value: durations.length, unit: "", target: 0, note }];
}
