import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { presentTool } from "@skein/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createToolFixture, type ToolFixture } from "./tool-fixture.ts";
import { createWebFetchTool } from "./web-fetch-tool.ts";

let fixture: ToolFixture;
let server: Server;
let origin: string;

beforeAll(async () => {
  fixture = await createToolFixture();
  server = createServer((request, response) => {
    if (request.url === "/long") response.setHeader("content-type", "text/plain").end("😀".repeat(50_000));
    else if (request.url === "/image") response.setHeader("content-type", "image/png").end("x");
    else if (request.url === "/gone") response.writeHead(404, { "content-type": "text/html" }).end("<p>No such page</p>");
    else if (request.url === "/moved") response.writeHead(302, { location: "/page" }).end();
    else response.setHeader("content-type", "text/html").end("<title>A page</title><h1>Hi</h1><p>words");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await fixture.remove();
});

test("[N1] returns a page as text, with its title and address, and a card for the user", async () => {
  const input = { url: `${origin}/moved` };
  const result = await fixture.call("web_fetch", input);
  expect(result).toEqual({
    output: `Redirected to ${origin}/page\nTitle: A page\n\n# Hi\n\nwords`,
    state: "completed",
    structured: { url: `${origin}/page`, title: "A page", result: "# Hi\n\nwords" },
  });
  expect(presentTool({ toolName: "web_fetch", input, isError: false, ...result, state: "completed" })).toMatchObject({
    details: { type: "webResult", data: { title: "A page", content: "# Hi\n\nwords" } },
  });
});

test("[N3] [Q17] a long page is cut in its middle and kept whole in a file", async () => {
  const { output, structured } = await fixture.call("web_fetch", { url: `${origin}/long` });
  expect(output.length).toBeLessThan(34_000);
  expect(output.isWellFormed()).toBe(true);
  expect((await readFile((structured as { outputFile: string }).outputFile, "utf8")).length).toBe(100_000);
});

test("content that is not text and missing pages are reported", async () => {
  expect(await fixture.call("web_fetch", { url: `${origin}/image` })).toMatchObject({
    state: "failed",
    output: expect.stringContaining("image/png"),
  });
  expect(await fixture.call("web_fetch", { url: `${origin}/gone` })).toMatchObject({
    state: "failed",
    output: `${origin}/gone answered with status 404.\nNo such page`,
  });
  expect(await fixture.call("web_fetch", { url: "file:///etc/passwd" })).toMatchObject({ state: "failed" });
});

test("[X10] without permission it reaches nothing on this machine", async () => {
  const { workspace, spillDirectory, jobs } = fixture;
  const folderInstructions = { take: async () => "" };
  const tool = createWebFetchTool({
    workspace,
    environment: {},
    spillDirectory,
    jobs,
    folderInstructions,
    sandbox: undefined,
    allowPrivateAddresses: false,
  });
  const prepared = tool.prepare({ url: `${origin}/page` });
  if (!prepared.ok) throw new Error(prepared.error);
  const { signal } = new AbortController();
  expect(await prepared.call.run({ toolUseId: "t", signal, onProgress() {}, protectedAllowed: false })).toMatchObject({
    state: "failed",
    output: expect.stringContaining("private network"),
  });
});
