import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchPage } from "./fetch-page.ts";

let server: Server;
let origin: string;
let port: number;
const seen: string[] = [];

const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/hello": (_, response) => response.setHeader("content-type", "text/plain").end("hello"),
  "/zipped": (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync("zipped")),
  "/bomb": (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(20 * 1024 * 1024))),
  "/large": (_, response) => response.end(Buffer.alloc(6 * 1024 * 1024)),
  "/slow": () => {},
  "/drip": (_, response) => void response.write("x"),
  "/loop": (_, response) => response.writeHead(302, { location: "/loop" }).end(),
  "/once": (_, response) => response.writeHead(301, { location: "hello" }).end(),
  "/metadata": (_, response) => response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
  "/inside": (_, response) => response.writeHead(302, { location: "http://inside.example/secret" }).end(),
  "/sibling": ({ headers }, response) => response.writeHead(302, { location: `http://www.${headers.host}/hello` }).end(),
  "/file": (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/gone": (_, response) => response.writeHead(404).end("not here"),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.headers.host}${request.url}`);
    (routes[request.url ?? ""] ?? ((_, other) => other.end("?")))(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const signal = new AbortController().signal;
const get = (path: string, more: Partial<Parameters<typeof fetchPage>[1]> = {}) =>
  fetchPage(`${origin}${path}`, { allowPrivateAddresses: true, signal, ...more });

test("returns the body, decompressed, with type, status and final address", async () => {
  expect(await get("/hello")).toEqual({ url: `${origin}/hello`, status: 200, contentType: "text/plain", body: Buffer.from("hello") });
  expect((await get("/zipped")).body.toString()).toBe("zipped");
  expect(await get("/once")).toMatchObject({ url: `${origin}/hello`, status: 200 });
  expect(await get("/gone")).toMatchObject({ status: 404 });
});

describe("[X10] private addresses are rejected", () => {
  const names: Record<string, string[]> = {
    "public.example": ["93.184.215.14"],
    "inside.example": ["10.0.0.1"],
    "both.example": ["93.184.215.14", "127.0.0.1"],
    "nowhere.example": [],
  };
  const guarded = (url: string) => fetchPage(url, { allowPrivateAddresses: false, signal, resolveName: async (name) => names[name] ?? [] });

  test.each([
    ...["http://127.0.0.1/", "http://2130706433/", "http://0x7f.1/", "http://[::1]/", "http://[::ffff:7f00:1]/", "http://169.254.169.254/"],
    ...["http://inside.example/", "http://both.example/", "http://localhost/"],
  ])("%s is refused before anything is sent", async (url) => {
    const count = seen.length;
    await expect(guarded(url)).rejects.toThrow(/private network|no address/);
    expect(seen).toHaveLength(count);
  });

  test("a redirect is checked like the first address", async () => {
    const first = { count: 0 };
    const options = {
      signal,
      // The first address is let through as if it were public; only the redirect leads inside.
      resolveName: async () => (first.count++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]),
      get allowPrivateAddresses() {
        return first.count === 0;
      },
    };
    await expect(fetchPage(`http://start.example:${port}/once`, options)).rejects.toThrow(/private network/);
  });

  test("[X17] a redirect to another site is not followed, and its name is not even looked up", async () => {
    const asked: string[] = [];
    const resolveName = async (name: string) => {
      asked.push(name);
      return ["127.0.0.1"];
    };
    for (const path of ["/metadata", "/inside", "/sibling"]) {
      const fetching = fetchPage(`http://start.example:${port}${path}`, { signal, resolveName, allowPrivateAddresses: true });
      await expect(fetching).rejects.toThrow(/redirects to another site: http.*not followed/);
    }
    expect(new Set(asked)).toEqual(new Set(["start.example"]));
  });

  test("the connection goes to the address that was checked, whatever the name means elsewhere", async () => {
    const page = await fetchPage(`http://pinned.example:${port}/hello`, {
      allowPrivateAddresses: true,
      signal,
      resolveName: async () => ["127.0.0.1"],
    });
    expect(page.body.toString()).toBe("hello");
    expect(seen.at(-1)).toBe(`pinned.example:${port}/hello`);
  });
});

test.each(["file:///etc/passwd", "ftp://x.example/", "javascript:1", "nonsense", "", "http://user:pass@x.example/"])(
  "[X10] %j is refused",
  (url) => expect(fetchPage(url, { allowPrivateAddresses: true, signal })).rejects.toThrow(/only http|not a valid URL|password/),
);

test("limits: size, unpacked size, redirects, other protocols, time", async () => {
  await expect(get("/large")).rejects.toThrow(/more than 5242880 bytes/);
  await expect(get("/bomb")).rejects.toThrow(/more than 5242880 bytes/);
  await expect(get("/loop")).rejects.toThrow(/more than 5 times/);
  await expect(get("/file")).rejects.toThrow(/only http/);
  await expect(get("/slow", { timeoutMs: 50 })).rejects.toThrow(/did not answer within 0.05 seconds/);
  await expect(get("/drip", { timeoutMs: 50 })).rejects.toThrow(/did not answer/);
});

test("[N2] a stop ends it with the stop's reason", async () => {
  const controller = new AbortController();
  const fetching = get("/slow", { signal: controller.signal });
  controller.abort(new Error("stopped"));
  await expect(fetching).rejects.toThrow("stopped");
});
