import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { quantile } from "../agents/delay-listener.mjs";
import { makeRepository } from "../agents/make-repository.mjs";
import { openBrowser } from "../agents/open-browser.mjs";
import { findFreePort, startReference, startSkein, withHome } from "../server-process.mjs";

const reconnection = { restarts: 5, downMs: 4000 };

/**
 * How soon a user sees something, as a multiple of what a bare page takes in the same browser. A bare page is loaded right before each, and
 * the median of the ratios counts: the load of a machine changes within a round.
 */
export async function measureReaction({ server, browser, task, rounds }) {
  const { page } = browser;
  const board = `${server.url}/p/${task.projectId}`;
  const actions = [
    { name: "first paint of the board", target: 3, run: () => untilPainted(page, board) },
    { name: "its cards", target: 10, run: () => untilShown(page, board, "[data-task-id]") },
    {
      name: "click on a card to its conversation",
      target: 4,
      prepare: () => openBoard(page, { url: server.url, task }),
      run: () => clickCard(page, task.id),
    },
    {
      name: "a loaded page to its conversation",
      target: 10,
      run: () => untilShown(page, `${server.url}/t/${task.id}`, "[data-message-id]"),
    },
  ];
  const port = await findFreePort();
  const reference = await startReference(port);
  const pairs = actions.map(() => []);
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [index, { prepare, run }] of actions.entries()) {
        const bare = await untilPainted(page, `http://127.0.0.1:${port}/`);
        await prepare?.();
        const ms = await run();
        pairs[index].push({ bare, ms, ratio: ms / bare });
      }
    }
  } finally {
    await reference.stop();
  }
  return actions.map(({ name, target }, index) => {
    const [ratio, ms, bare] = ["ratio", "ms", "bare"].map((field) => median(pairs[index], field));
    const note = `${ms.toFixed(0)} ms against ${bare.toFixed(0)} ms, median of ${rounds}`;
    return { name: `${name}, compared with a bare page`, value: ratio, unit: "×", target, note };
  });
}

/** From the first response of a server that was down for some seconds until the page shows “Live” again. */
export async function measureReconnection({ restarts, downMs } = reconnection) {
  return withHome(async (home) => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    let server = await startSkein({ home, port });
    const browser = await openBrowser();
    try {
      const headers = {
        authorization: `Bearer ${readFileSync(path.join(home, "token"), "utf8").trim()}`,
        "content-type": "application/json",
      };
      const post = async (route, body) => (await fetch(`${url}${route}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
      await post("/api/projects", { path: makeRepository(home) });
      await browser.visit((await post("/api/launch-codes", {})).url, url);
      const live = browser.page.getByText("Live", { exact: true });
      const times = [];
      for (let round = 0; round < restarts; round++) {
        await live.waitFor();
        await server.stop();
        await live.waitFor({ state: "detached" });
        // never in step with the page's own retries
        await delay(downMs + round * 330);
        server = await startSkein({ home, port });
        const readyAt = performance.now();
        await live.waitFor();
        times.push({ ms: performance.now() - readyAt, startMs: server.readyMs });
      }
      const [ms, startMs] = [median(times, "ms"), median(times, "startMs")];
      return {
        name: "live again after a restart, compared with the server's start",
        value: ms / startMs,
        unit: "×",
        target: 6,
        note: `${ms.toFixed(0)} ms after a start of ${startMs.toFixed(0)} ms, after ${downMs / 1000} s and more without a server`,
      };
    } finally {
      await browser.close();
      await server.stop();
    }
  });
}

function median(times, field) {
  return quantile(
    times.map((time) => time[field]),
    0.5,
  );
}

/** Until it is idle: the code of a task's page is loaded then. */
export async function openBoard(page, { url, task }) {
  await page.goto(`${url}/p/${task.projectId}`);
  await page.waitForSelector(`[data-task-id="${task.id}"]`);
  await page.waitForTimeout(1500);
}

async function untilPainted(page, url) {
  await page.goto("about:blank");
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
}

/** From the navigation until the first frame with what `selector` selects. */
async function untilShown(page, url, selector) {
  await page.goto("about:blank");
  await page.goto(url, { waitUntil: "commit" });
  return page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          if (document.querySelector(wanted)) requestAnimationFrame(() => resolve(performance.now()));
          else requestAnimationFrame(look);
        };
        look();
      }),
    selector,
  );
}

/** Without the pointer, whose hover would preload the page. Leaves the marks `click-from` and `click-shown` in the page. */
export async function clickCard(page, taskId) {
  return page.evaluate(
    (id) =>
      new Promise((resolve) => {
        performance.mark("click-from");
        const from = performance.now();
        const look = () => {
          const last = [...document.querySelectorAll("[data-message-id]")].at(-1)?.getBoundingClientRect();
          if (last !== undefined && last.height > 0) {
            performance.mark("click-shown");
            resolve(performance.now() - from);
          } else requestAnimationFrame(look);
        };
        document.querySelector(`[data-task-id="${id}"]`).click();
        look();
      }),
    taskId,
  );
}
