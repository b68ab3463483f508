import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { isLong } from "./long.ts";
import type { RealServer } from "./real-server.ts";

const places = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const artifacts = fileURLToPath(new URL("../../artifacts/screenshots/", import.meta.url));

let launched: Promise<Browser> | undefined;

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? places.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error("No Chromium found. Install it (apt-get install chromium), or set CHROMIUM_PATH to its program.");
  launched ??= chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return launched;
}

/** Closes what a test file left open. The browser itself is reused by the next file of this worker, and ends with the worker. */
export async function closeBrowser(): Promise<void> {
  const browser = await launched;
  if (browser?.isConnected() === false) launched = undefined;
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

export interface Visitor {
  page: Page;
  /** Every request to a host other than our own server. */
  foreignRequests: string[];
  /** Errors that the page threw or logged, including violations of the content security policy. */
  complaints: string[];
}

/**
 * A fresh browser profile, signed in by a launch link and on the board; or, with `path`, on that page, without having loaded
 * another before: each load is a second of work for the processor.
 */
export async function visit(server: RealServer, { path, ...options }: BrowserContextOptions & { path?: string } = {}): Promise<Visitor> {
  const context = await (await launchBrowser()).newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // on a busy machine an agent can take ten seconds to start
  page.setDefaultTimeout(60_000);
  const foreignRequests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== server.url && url.protocol !== "data:" && url.protocol !== "blob:") foreignRequests.push(request.url());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // a browser with a window requests it if the page names no icon
    if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) complaints.push(message.text());
  });
  const { url } = await server.api.request<{ url: string }>("POST", "/api/launch-codes");
  if (path === undefined) {
    await page.goto(url);
    // the page exchanges the link's code for a session, then leaves the link's address: for the board at once, where there is a project
    await page.waitForURL(({ pathname }) => pathname !== "/launch");
  } else {
    await signIn(page, server, new URL(url).hash.slice(1));
    await page.goto(`${server.url}${path}`);
  }
  return { page, foreignRequests, complaints };
}

/** Signs in as the page of a launch link does, on a static file of the server. */
async function signIn(page: Page, server: RealServer, code: string): Promise<void> {
  await page.goto(`${server.url}/icon.svg`);
  await page.evaluate(`(async () => {
    const headers = { "content-type": "application/json" };
    const response = await fetch("/api/sessions", { method: "POST", headers, body: ${JSON.stringify(JSON.stringify({ code }))} });
    if (!response.ok) throw new Error(await response.text());
    localStorage.setItem("skein.session", (await response.json()).secret);
  })()`);
}

/** Navigates inside the app without a reload, as its links do. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
}

/** Resolves when the page has drawn the next frame: a dragged card follows the pointer frame by frame. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

/** Kept after a long run for review; no test reads it. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!isLong) return;
  const path = join(artifacts, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path });
}
