/**
 * Milliseconds of processor time of the page's main thread between two marks that `work` makes in it (`performance.mark`). The same on a
 * busy machine as on an idle one.
 */
export async function measureThreadTime(page, { from, to }, work) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["blink.user_timing"], excludedCategories: ["*"] },
  });
  await work();
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  const [first, last] = [from, to].map((mark) => events.find(({ name }) => name === mark)?.tts);
  if (first === undefined || last === undefined) throw new Error(`The browser reported no processor time from ${from} to ${to}.`);
  return (last - first) / 1000;
}

/** What the reference is for processor time: a plain list is made and laid out. */
export async function measurePlainList(page) {
  return measureThreadTime(page, { from: "list-from", to: "list-to" }, () =>
    page.evaluate(() => {
      performance.mark("list-from");
      const list = document.createElement("ul");
      for (let i = 0; i < 3000; i++) {
        const item = document.createElement("li");
        item.append(Object.assign(document.createElement("b"), { textContent: `Item ${i}` }), ` some words of item ${i * 7919}`);
        list.append(item);
      }
      document.body.append(list);
      list.getBoundingClientRect();
      performance.mark("list-to");
    }),
  );
}
