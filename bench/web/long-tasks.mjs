const perSecond = 200;
const longMs = 50;

/**
 * The page of a task whose agent writes 200 lines a second: tasks of the browser's main thread that take more than 50 ms of processor
 * time. On the clock, a task in which the machine did something else would count for the page.
 */
export async function measureLongTasks({ server, browser, task, seconds }) {
  const { page } = browser;
  await page.goto(`${server.url}/t/${task.id}`);
  await page.waitForLoadState("networkidle").catch(() => {});
  const session = await page.context().newCDPSession(page);
  const tasks = await traceTasks(session, async () => {
    await server.start(task, { lines: perSecond * seconds, pauseMs: 1000 / perSecond });
    await server.waitUntilEnded(task);
  });
  await session.detach();
  const isLong = (ms) => ms > longMs;
  const processor = tasks.map(({ tdur }) => tdur / 1000);
  const clock = tasks.map(({ dur }) => dur / 1000);
  const note = `longest ${Math.max(...processor).toFixed(0)} ms, at ${perSecond} events/s for ${seconds} s; on the clock ${clock.filter(isLong).length}, longest ${Math.max(...clock).toFixed(0)} ms`;
  return [{ name: "long tasks in the browser", value: processor.filter(isLong).length, unit: "", target: 0, note }];
}

/** Tasks of the page's main thread while `work` is done: `dur` on the clock, `tdur` of processor time, in microseconds. */
async function traceTasks(session, work) {
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "__metadata"], excludedCategories: ["*"] },
  });
  await work();
  await session.send("Tracing.end");
  await complete;
  const main = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const threads = new Set(main.map(({ pid, tid }) => `${pid}/${tid}`));
  const tasks = events.filter(
    ({ name, tdur, pid, tid }) => name === "ThreadControllerImpl::RunTask" && tdur !== undefined && threads.has(`${pid}/${tid}`),
  );
  if (tasks.length === 0) throw new Error("The browser reported no tasks of its main thread.");
  return tasks;
}
