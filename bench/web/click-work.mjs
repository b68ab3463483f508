import { quantile } from "../agents/delay-listener.mjs";
import { findFreePort, startReference } from "../server-process.mjs";
import { clickCard, openBoard } from "./reaction.mjs";
import { measurePlainList, measureThreadTime } from "./thread-time.mjs";

/**
 * What the page has to do from a click on a card until the conversation is shown, as a multiple of a fixed piece of work of the same
 * browser. In processor time of the main thread: on the clock, a busy machine decides.
 */
export async function measureClickWork({ server, browser, task, rounds }) {
  const { page } = browser;
  const port = await findFreePort();
  const reference = await startReference(port);
  const pairs = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await page.goto(`http://127.0.0.1:${port}/`);
      const list = await measurePlainList(page);
      await openBoard(page, { url: server.url, task });
      const click = await measureThreadTime(page, { from: "click-from", to: "click-shown" }, () => clickCard(page, task.id));
      pairs.push({ list, click, ratio: click / list });
    }
  } finally {
    await reference.stop();
  }
  const [ratio, click, list] = ["ratio", "click", "list"].map((field) =>
    quantile(
      pairs.map((pair) => pair[field]),
      0.5,
    ),
  );
  return {
    name: "work of a click on a card until its conversation, compared with a plain list of 3,000 lines",
    value: ratio,
    unit: "×",
    // half of 1.28, which a release of November 2026 (60cf4cfc) took, measured in turn with this one
    target: 0.64,
    note: `${click.toFixed(0)} ms of processor time to ${list.toFixed(0)} ms, median of ${rounds}`,
  };
}
