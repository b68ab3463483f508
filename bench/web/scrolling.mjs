const samplesEvery = 0.1;

/** Scrolls from the newest message to the first: the memory of the page at the end, compared with a tenth of the way. */
export async function measureScrolling({ server, browser, task, messages }) {
  const { page } = browser;
  await page.goto(`${server.url}/t/${task.id}`);
  await page.waitForSelector("[data-message-id]");
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  const samples = [];
  let seen = 0;
  let lastFirst = "";
  for (let still = 0; still < 40; ) {
    const first = await page.evaluate(() => {
      const list = document.querySelector("[data-message-id]").closest("section");
      list.scrollTop = 0;
      return document.querySelector("[data-message-id]")?.getAttribute("data-message-id") ?? "";
    });
    if (first === lastFirst) {
      still++;
      await new Promise((resolve) => setTimeout(resolve, 25));
      continue;
    }
    still = 0;
    lastFirst = first;
    seen++;
    if (seen % 20 === 1) samples.push(await measurePage(page, session));
  }
  samples.push(await measurePage(page, session));
  // the user's message is the first one
  if (!(await page.evaluate(() => document.querySelector("[data-message-id]").textContent)).includes(" lines, 0 ms")) {
    throw new Error(`Scrolling stopped before the first message, after ${seen} steps.`);
  }
  const early = samples[Math.max(1, Math.floor(samples.length * samplesEvery))] ?? samples[0];
  const last = samples.at(-1);
  const note = `${(last.heap / 1e6).toFixed(0)} MB and ${last.nodes} nodes at the first of ${messages} messages`;
  return [
    { name: "heap after scrolling all of it", value: last.heap / early.heap, unit: "×", target: 1.5, note },
    {
      name: "DOM nodes after scrolling all of it",
      value: last.nodes / early.nodes,
      unit: "×",
      target: 1.5,
      note: "against a tenth of the way",
    },
  ];
}

async function measurePage(page, session) {
  await session.send("HeapProfiler.collectGarbage");
  return page.evaluate(() => ({
    heap: performance.memory.usedJSHeapSize,
    nodes: document.querySelectorAll("*").length,
  }));
}
