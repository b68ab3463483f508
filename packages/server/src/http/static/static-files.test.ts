import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestHttp, send } from "../testing/test-http.ts";

let parent: string;
let webRoot: string;

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), "skein-web-"));
  webRoot = join(parent, "dist");
  mkdirSync(join(webRoot, "assets"), { recursive: true });
  writeFileSync(join(parent, "secret.txt"), "secret");
  writeFileSync(join(webRoot, "index.html"), "<!doctype html>index");
  writeFileSync(join(webRoot, "index.html.br"), "index in br");
  writeFileSync(join(webRoot, "assets/app-1a2b.js"), "script");
  writeFileSync(join(webRoot, "assets/app-1a2b.js.br"), "script in br");
  writeFileSync(join(webRoot, "assets/app-1a2b.js.gz"), "script in gz");
  writeFileSync(join(webRoot, "assets/font.woff2"), "font");
  writeFileSync(join(webRoot, "favicon.svg"), "<svg/>");
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const get = (path: string, headers: Record<string, string> = {}) =>
  send(createTestHttp({ webRoot }), "GET", path, { headers: { authorization: null, ...headers } });

describe("static files", () => {
  it("need no credential: a typed address cannot have one", async () => {
    const response = await get("/", { "sec-fetch-site": "none" });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "text/html; charset=utf-8",
      "<!doctype html>index",
    ]);
  });

  it.each([
    ["/assets/app-1a2b.js", "text/javascript; charset=utf-8"],
    ["/assets/font.woff2", "font/woff2"],
    ["/favicon.svg", "image/svg+xml; charset=utf-8"],
  ])("%s has the type %s", async (path, type) => {
    const response = await get(path);
    await response.body?.cancel();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
  });

  it.each([
    ["gzip, deflate, br, zstd", "br", "script in br"],
    ["gzip", "gzip", "script in gz"],
    ["identity", null, "script"],
  ])("accept-encoding %s gets %s", async (accepted, encoding, content) => {
    const response = await get("/assets/app-1a2b.js", { "accept-encoding": accepted });
    expect([response.headers.get("content-encoding"), await response.text()]).toEqual([encoding, content]);
    expect(response.headers.get("vary")?.toLowerCase()).toContain("accept-encoding");
  });

  it("hashed files are cached forever, icons for a day, the page is revalidated", async () => {
    const [script, icon] = [await get("/assets/app-1a2b.js"), await get("/favicon.svg")];
    await Promise.all([script.body?.cancel(), icon.body?.cancel()]);
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(icon.headers.get("cache-control")).toBe("public, max-age=86400");
    const page = await get("/");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const etag = page.headers.get("etag") ?? "";
    const again = await get("/", { "if-none-match": etag });
    expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
    expect((await get("/", { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("the page is compressed too, with an ETag of its own", async () => {
    const [plain, compressed] = [await get("/"), await get("/", { "accept-encoding": "br" })];
    expect(await compressed.text()).toBe("index in br");
    expect(compressed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
  });

  it.each(["/tasks/tsk_1", "/settings", "/assets", "/assets/"])("%s is an address of the UI: its page, never a listing", async (path) => {
    expect(await (await get(path)).text()).toBe("<!doctype html>index");
  });

  it.each(["/missing.js", "/assets/missing.css", "/assets/app.js.map"])("%s is 404, not the page", async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it.each([
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
    "/..\\secret.txt",
    "/..%5csecret.txt",
    "//secret.txt",
    "/%00secret.txt",
    "/assets/%c0%ae%c0%ae/secret.txt",
  ])("[X10] %s stays inside the web root", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toBe("secret");
  });

  it("without a built UI the page explains how to build it, and the API works", async () => {
    for (const root of [null, join(parent, "nowhere")]) {
      const http = createTestHttp({ webRoot: root });
      const response = await send(http, "GET", "/", { headers: { authorization: null } });
      expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("npm start")]);
      expect((await send(http, "GET", "/api/health")).status).toBe(200);
    }
  });
});
