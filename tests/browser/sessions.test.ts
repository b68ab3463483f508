import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defaultWebRoot } from "@skein/server";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { closeBrowser, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

let shared: Promise<RealServer> | undefined;
const server = () => (shared ??= startRealServer({ keep: true }));

afterAll(async () => {
  await closeBrowser();
  await (await shared)?.stop();
});

/** Another program of this machine, on its own port. It records what browsers send, and answers as configured. */
async function startNeighbour(answer: { headers?: Record<string, string | string[]>; body?: string } = {}) {
  const received: IncomingMessage[] = [];
  const neighbour = createServer((request, response) => {
    received.push(request);
    response.writeHead(200, { "content-type": "text/html", ...answer.headers }).end(answer.body ?? "<p>hello</p>");
  }).listen(0, "127.0.0.1");
  await once(neighbour, "listening");
  onTestFinished(() => {
    neighbour.closeAllConnections();
    neighbour.close();
  });
  const address = neighbour.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, received };
}

/** Sends exactly these headers: `fetch` would refuse to forge some of them. */
async function replay(origin: string, method: string, path: string, headers: Record<string, string>): Promise<number> {
  const sent = httpRequest(new URL(path, origin), { method, headers, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.destroy();
  return response.statusCode ?? 0;
}

const isSignedIn = async (page: Page) => {
  await page
    .getByText(/Add project|This browser is not signed in|This link no longer works/)
    .first()
    .waitFor();
  return (await page.getByText(/not signed in|no longer works/).count()) === 0;
};
const openTab = async (context: BrowserContext, url: string) => {
  const page = await context.newPage();
  await page.goto(url);
  return page;
};
const newLink = async () => (await (await server()).api.request<{ url: string }>("POST", "/api/launch-codes")).url;

test("[X18] another port gets the cookie from the browser, and can do nothing with it", async () => {
  const { url, api } = await server();
  const { page } = await visit(await server());
  const neighbour = await startNeighbour();
  const other = await openTab(page.context(), neighbour.url);
  expect(await other.evaluate(() => Object.keys(localStorage))).toEqual([]);
  const cookie = neighbour.received[0]?.headers.cookie ?? "";
  // that is how browsers are: cookies have no port
  expect(cookie).toMatch(/^skein_[0-9a-f]{8}=/);

  const document = await api.request<{ paths: Record<string, Record<string, { security?: unknown[] }>> }>("GET", "/api/openapi.json");
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security }]) => (security?.length === 0 ? [] : [[method.toUpperCase(), path] as const])),
  );
  expect(routes.length).toBeGreaterThan(50);
  expect(routes).toContainEqual(["GET", "/api/events"]);
  const { host } = new URL(url);
  const forged = { cookie, host, origin: url, referer: `${url}/`, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
  const { origin: _, ...withoutOrigin } = forged;
  for (const [method, path] of routes) {
    for (const headers of [forged, withoutOrigin]) {
      const status = await replay(url, method, path.replace(/\{\w+\}/g, "x"), { ...headers, "content-type": "application/json" });
      expect([method, path, status]).toEqual([method, path, 401]);
    }
  }
  expect(await isSignedIn(page)).toBe(true);
});

test("[X18] cookies of our name that another port sets, with other paths, do not lock the user out", async () => {
  const { page } = await visit(await server());
  const name = (await page.context().cookies())[0]?.name ?? "";
  const paths = ["/api", "/api/", "/api/projects", "/api/events", "/api/tasks"];
  const junk = Array.from({ length: 60 }, (_, index) => `junk${index}=${"x".repeat(20)}; Path=/`);
  const neighbour = await startNeighbour({ headers: { "set-cookie": [...paths.map((path) => `${name}=junk; Path=${path}`), ...junk] } });
  await openTab(page.context(), neighbour.url);
  expect((await page.context().cookies()).filter((cookie) => cookie.name === name)).toHaveLength(paths.length + 1);
  await page.reload();
  expect(await isSignedIn(page)).toBe(true);
  await page.getByText("Add project").first().waitFor();
});

test("[X18] cookies of another port that are too large for a request lead to a page that explains what to do", async () => {
  const { page } = await visit(await server());
  const cookies = Array.from({ length: 40 }, (_, index) => `junk${index}=${"x".repeat(4000)}; Path=/`);
  const neighbour = await startNeighbour({ headers: { "set-cookie": cookies } });
  await openTab(page.context(), neighbour.url);
  const answer = await page.reload();
  expect(answer?.status()).toBe(431);
  await page.getByText("Your browser sends too many cookies").waitFor();
});

test("[X18] the launch link leaves no code: not in the address, the tab's history, a request or the page's storage", async () => {
  const { url, api } = await server();
  const { page } = await visit(await server());
  const requests: string[] = [];
  const tab = await page.context().newPage();
  tab.on("request", (request) => requests.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  const link = await newLink();
  const code = new URL(link).hash.slice(1);
  await tab.goto(`${url}/inbox`);
  await tab.goto(link);
  await tab.waitForURL(`${url}/`);
  expect(await isSignedIn(tab)).toBe(true);
  expect(await tab.evaluate("history.length")).toBe(3); // about:blank, /inbox, and this page
  await tab.goBack();
  expect(tab.url()).toBe(`${url}/inbox`);
  await tab.goForward();
  expect(tab.url()).toBe(`${url}/`);
  // playwright shows the fragment of the document's own address; nothing else has the code
  expect(requests.filter((text) => text.includes(code) && !text.startsWith(`${link} `))).toEqual([]);
  expect(await tab.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(code);

  // by the file that opens a browser, it is the same
  const { redirectFile = "" } = await api.request<{ redirectFile?: string }>("POST", "/api/launch-codes", { redirectFile: true });
  await tab.goto(pathToFileURL(redirectFile).href);
  await tab.waitForURL(`${url}/`);
  expect(await isSignedIn(tab)).toBe(true);
  await expect.poll(() => existsSync(redirectFile)).toBe(false);

  // used again, the link is reported as used if nobody is signed in, and does nothing otherwise
  const again = await openTab(page.context(), link);
  await again.waitForURL(`${url}/`);
  expect(await isSignedIn(again)).toBe(true);
  const stranger = await page.context().browser()?.newContext({ locale: "en-US" });
  if (stranger === undefined) throw new Error("no browser");
  onTestFinished(() => stranger.close());
  const refused = await openTab(stranger, link);
  await refused.getByText("This link no longer works").waitFor();
  await refused.getByText("npm start").waitFor();
});

test("[X18] all tabs share the session: a new link, a reload and signing out apply to all of them", async () => {
  const { url } = await server();
  const { page, complaints } = await visit(await server());
  const context = page.context();
  const other = await openTab(context, `${url}/`);
  expect(await isSignedIn(other)).toBe(true);
  const third = await openTab(context, await newLink());
  await third.waitForURL(`${url}/`);
  for (const tab of [page, other, third]) {
    await tab.bringToFront();
    await tab.getByText("Live", { exact: true }).or(tab.getByText("Add project")).first().waitFor();
    await tab.reload();
    expect(await isSignedIn(tab)).toBe(true);
  }
  const before = await context.cookies();
  const secret = (await third.evaluate(() => localStorage.getItem("skein.session"))) ?? "";
  await third.evaluate(async (session) => {
    await fetch("/api/logout", { method: "POST", headers: { "content-type": "application/json", "skein-session": session }, body: "{}" });
    localStorage.removeItem("skein.session");
  }, secret);
  for (const tab of [page, other]) await tab.getByText("This browser is not signed in").waitFor();
  // a secret that was copied before is useless now
  const cookie = before.map(({ name, value }) => `${name}=${value}`).join("; ");
  expect(await replay(url, "GET", "/api/projects", { cookie, origin: url, "skein-session": secret })).toBe(401);
  // a new link in one tab brings the others back
  await third.goto(await newLink());
  await third.waitForURL(`${url}/`);
  for (const tab of [page, other]) expect(await isSignedIn(tab)).toBe(true);
  expect(complaints.filter((text) => !/401|ERR_/.test(text))).toEqual([]);
});

test("[X3, X18] a session survives a restart of the server; the menu's “Sign out everywhere” ends other browsers' sessions, too", async () => {
  const own = await startRealServer();
  await own.api.createProject(newRepository());
  const [{ page }, { page: otherBrowser }] = [await visit(own), await visit(own)];
  await own.stop();
  await own.start();
  for (const tab of [page, otherBrowser]) {
    await tab.reload();
    await tab.getByRole("button", { name: "Preferences" }).waitFor();
  }
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
  for (const tab of [page, otherBrowser]) await tab.getByText("This browser is not signed in").waitFor();
});

test("[X18] a browser that an older Skein signed in, with a cookie alone, shows how to get a new link", async () => {
  const { url } = await server();
  const { page } = await visit(await server());
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${url}/`);
  await page.getByText("This browser is not signed in").waitFor();
  await page.getByText("npm start").waitFor();
  await page.getByText("skein open").waitFor();
});

test("[X18] downloads carry the session's secret", async () => {
  const { url, api } = await server();
  const project = await api.createProject(newRepository());
  const task = await api.createTask(project.id);
  const model = newScriptedModel([{ toolCalls: [bash("seq 1 60000")] }, { text: "Counted." }]);
  await api.createAttempt(task.id, { model });
  const stream = await openEventStream(api);
  await api.send(task.id, "count");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  stream.close();
  const { page } = await visit(await server());
  await page.goto(`${url}/t/${task.id}`);
  const card = page.locator('article[data-tool="bash"]').first();
  await card.getByRole("button").first().click();
  const [output] = await Promise.all([
    page.waitForEvent("download"),
    card.getByRole("button", { name: "Download the whole output" }).click(),
  ]);
  expect(await output.failure()).toBeNull();
  expect(output.suggestedFilename()).toMatch(/\.txt$/);
  await page.getByRole("toolbar").getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Export…" }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByRole("button", { name: "Download" }).waitFor();
  const [exported] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+Enter")]);
  expect(await exported.failure()).toBeNull();
  expect(exported.suggestedFilename()).toMatch(/\.html$/);
});

test("[X5] a string never becomes script, but our own worker starts", async () => {
  const { page } = await visit(await server());
  const outcome = await page.evaluate<Record<string, string>>(`(() => {
    const attempt = (action) => {
      try {
        action();
        return "allowed";
      } catch (error) {
        return error.name;
      }
    };
    const element = document.createElement("div");
    return {
      html: attempt(() => { element.innerHTML = "<b>x</b>" }),
      adjacent: attempt(() => element.insertAdjacentHTML("beforeend", "<b>x</b>")),
      scriptUrl: attempt(() => { document.createElement("script").src = "/boot.js" }),
      foreignWorker: attempt(() => new Worker("https://evil.example/worker.js")),
      blobWorker: attempt(() => new Worker(URL.createObjectURL(new Blob(["1"])))),
    };
  })()`);
  expect(new Set(Object.values(outcome))).toEqual(new Set(["TypeError"]));
  const worker = readdirSync(join(defaultWebRoot, "assets")).find((name) => /^highlight-worker.*\.js$/.test(name));
  const [started] = await Promise.all([
    page.waitForEvent("worker"),
    page.evaluate(`void new Worker("/assets/${worker}", { type: "module" })`),
  ]);
  expect(started.url()).toContain("highlight-worker");
});
