import { setTimeout as delay } from "node:timers/promises";
import { chromium } from "playwright-core";
import { ensureChromium } from "../scripts/setup/chromium.mjs";
import { findFreePort, startSkein, withHome } from "./server-process.mjs";

const defaults = { quietMs: 1_000 };
const longestMs = 20_000;

/** Compressed bytes on the wire, headers included, until the first page is loaded and requests nothing more. */
export async function measureFirstLoad({ quietMs } = defaults) {
  return withHome(async (home) => {
    const port = await findFreePort();
    const server = await startSkein({ home, port });
    const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox"] });
    try {
      const launchUrl = server.output().match(/https?:\/\/\S+/)?.[0];
      if (launchUrl === undefined) throw new Error(`The server printed no address:\n${server.output()}`);
      const traffic = await load(browser, launchUrl, { quietMs });
      const strangers = traffic.hosts.filter((host) => host !== `127.0.0.1:${port}`);
      if (strangers.length > 0) throw new Error(`The page sent requests to other hosts: ${strangers.join(", ")}`);
      return {
        name: "first page load on the wire",
        value: traffic.bytes / 1000,
        unit: "kB",
        target: 205,
        note: `${traffic.requests} requests, all to the server itself`,
      };
    } finally {
      await browser.close();
      await server.stop();
    }
  });
}

async function load(browser, url, { quietMs }) {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  const hosts = new Set();
  let [bytes, requests, lastAt] = [0, 0, performance.now()];
  const finished = ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    lastAt = performance.now();
  };
  session.on("Network.requestWillBeSent", ({ request, redirectResponse }) => {
    requests++;
    const { protocol, host } = new URL(request.url);
    if (protocol !== "data:" && protocol !== "blob:") hosts.add(host);
    if (redirectResponse) finished(redirectResponse);
  });
  session.on("Network.loadingFinished", finished);
  await session.send("Network.enable");
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: "load" });
  // The event stream never ends, so the page is never idle: it is loaded when nothing else has ended for a while.
  while (performance.now() - lastAt < quietMs && performance.now() - startedAt < longestMs) await delay(50);
  if (!(await page.locator("#root > :not(.page-frame)").count())) throw new Error("The page stayed empty.");
  return { hosts: [...hosts], bytes, requests };
}
