import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createForgeClient, findNext, findRateLimit } from "./forge-client.ts";
import { readAtMost } from "./read-at-most.ts";

describe("requests to a forge", () => {
  it("the next page is found among the links", () => {
    expect(findNext('<https://a/?page=1>; rel="prev", <https://a/?page=3&x=1,2>; rel="next", <https://a/?page=9>; rel="last"')).toBe(
      "https://a/?page=3&x=1,2",
    );
    expect(findNext('<https://a/?page=1>; rel="first"')).toBeUndefined();
    expect(findNext(null)).toBeUndefined();
  });

  it("[G7] a rate limit is distinguished from a refusal", () => {
    const limit = (status: number, headers: Record<string, string>) => findRateLimit({ status, headers: new Headers(headers) }, 1_000_000);
    expect(limit(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "2000" })).toBe(2_000_000);
    expect(limit(403, { "retry-after": "30" })).toBe(1_030_000);
    expect(limit(403, { "x-ratelimit-remaining": "12", "x-ratelimit-reset": "2000" })).toBeUndefined();
    expect(limit(429, {})).toBe(1_060_000);
    expect(limit(429, { "ratelimit-remaining": "0", "ratelimit-reset": "2000" })).toBe(2_000_000);
    expect(limit(500, { "retry-after": "30" })).toBeUndefined();
  });

  it("[Q13] a limit without a sensible end gets one that can be stored", () => {
    const limit = (headers: Record<string, string>) => findRateLimit({ status: 429, headers: new Headers(headers) }, 1_000_000) ?? 0;
    const day = 86_400_000;
    expect(limit({ "retry-after": "1e308" })).toBe(1_000_000 + day);
    expect(limit({ "retry-after": "-5" })).toBe(1_000_000);
    expect(Number.isInteger(limit({ "retry-after": "0.00001" }))).toBe(true);
    expect(limit({ "ratelimit-remaining": "0", "ratelimit-reset": "1e300" })).toBe(1_000_000 + day);
  });

  it("[Q13] a next page with an invalid address is an error of the forge", async () => {
    const server = createServer((_request, response) => void response.writeHead(200, { link: '</x?page=2>; rel="next"' }).end("[]"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const repository = { kind: "gitea", host, path: "a/b", apiUrl: `http://${host}/api/v1` } as const;
    const client = createForgeClient({ repository, token: "secret", accept: "application/json" });
    await expect(client.list("/x", z.unknown())).rejects.toMatchObject({ failure: { code: "forge-error" } });
  });

  it("[X11] no token is sent without encryption, except on this machine", async () => {
    const repository = { kind: "gitea", host: "git.example.com", path: "a/b", apiUrl: "http://git.example.com/api/v1" } as const;
    const client = createForgeClient({ repository, token: "secret", accept: "application/json" });
    await expect(client.get("/x", z.unknown())).rejects.toMatchObject({ failure: { code: "forge-insecure", host: "git.example.com" } });
  });

  it("[X13] an endless response is cut off, and only its last part is kept", async () => {
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1000)),
        }),
      );
    await expect(readAtMost(endless(), 50_000)).rejects.toMatchObject({ name: "AnswerTooLargeError" });
    const text = `${"x".repeat(5000)}the end`;
    expect((await readAtMost(new Response(text), 50_000, { keepLast: 7 })).toString()).toBe("the end");
  });
});
