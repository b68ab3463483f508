import { chromium } from "playwright-core";
import { ensureChromium } from "../../scripts/setup/chromium.mjs";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser with one page that watches. */
export async function openBrowser() {
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: flags });
  const page = await browser.newPage();
  return {
    page,
    /** Signs in by a launch link and opens a page. */
    async visit(launchUrl, url) {
      await page.goto(launchUrl);
      // to the board, or at once to the page of the project
      await page.waitForURL(({ pathname }) => pathname !== "/launch");
      await page.goto(url);
      await page.waitForLoadState("load");
    },
    /** A page that only listens. */
    async listen(url) {
      await page.goto(new URL("/", url).href);
      await page.evaluate((address) => {
        globalThis.source = new EventSource(address);
        globalThis.source.addEventListener("line", (event) => {
          document.title = event.data.slice(0, 20);
        });
      }, url);
    },
    close: () => browser.close(),
  };
}
