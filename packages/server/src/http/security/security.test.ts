import { describe, expect, it } from "vitest";
import { bearer, createTestHttp, send, testHost, testOrigin, testToken } from "../testing/test-http.ts";
import { assertSafeBinding, UnsafeBindingError } from "./safe-binding.ts";

async function signIn(http: ReturnType<typeof createTestHttp>): Promise<string> {
  const { pathname, search } = new URL(http.createLaunchUrl());
  const response = await send(http, "GET", pathname + search, { headers: { authorization: null } });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

const browser = { authorization: null };

describe("binding", () => {
  it.each(["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])("[X1] loopback %s is safe", (host) => {
    expect(() => assertSafeBinding({ host, behindProxy: false, tls: false })).not.toThrow();
  });

  it.each(["0.0.0.0", "::", "192.168.1.5", "skein.example", "127.evil.example", ""])("[X1] %s needs TLS or --behind-proxy", (host) => {
    expect(() => assertSafeBinding({ host, behindProxy: false, tls: false })).toThrow(UnsafeBindingError);
    expect(() => assertSafeBinding({ host, behindProxy: true, tls: false })).not.toThrow();
    expect(() => assertSafeBinding({ host, behindProxy: false, tls: true })).not.toThrow();
  });
});

describe("host", () => {
  const paths = ["/", "/assets/app.js", "/launch?code=x", "/api/health", "/api/tasks", "/api/events", "/api/nothing"];
  it.each(paths)("[X2] %s is not answered under another host, with or without the token", async (path) => {
    for (const host of ["evil.example:4180", "127.0.0.1", "127.0.0.1:4181", "localhost:4180", "127.0.0.1:4180.evil.example", null]) {
      const response = await send(createTestHttp(), "GET", path, { headers: { host } });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: "host-not-allowed" });
    }
  });
});

describe("launch code", () => {
  it("[X3] signs a browser in once, answers with an HttpOnly SameSite=Strict cookie and leads away", async () => {
    const http = createTestHttp();
    const url = new URL(http.createLaunchUrl());
    expect(url.origin).toBe(testOrigin);
    const first = await send(http, "GET", url.pathname + url.search, { headers: browser });
    expect([first.status, first.headers.get("location"), first.headers.get("cache-control")]).toEqual([303, "/", "no-store"]);
    expect(first.headers.get("set-cookie")).toMatch(
      /^skein_[0-9a-f]{8}=\d+\.[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    );
    const second = await send(http, "GET", url.pathname + url.search, { headers: browser });
    expect([second.status, second.headers.get("set-cookie")]).toEqual([403, null]);
    expect(await second.text()).toContain("npm start");
  });

  it("[X3] has at least 128 bits, expires after ten minutes and dies with the server", async () => {
    let now = 1_000_000;
    const http = createTestHttp({ now: () => now });
    const { pathname, search, searchParams } = new URL(http.createLaunchUrl());
    expect(Buffer.from(searchParams.get("code") ?? "", "base64url").byteLength).toBeGreaterThanOrEqual(16);
    expect((await send(createTestHttp(), "GET", pathname + search)).status).toBe(403);
    now += 10 * 60 * 1000;
    expect((await send(http, "GET", pathname + search)).status).toBe(403);
  });

  it.each(["", "?code=", "?code=wrong"])("[X3] /launch%s is refused with a page without inline style or script", async (search) => {
    const response = await send(createTestHttp(), "GET", `/launch${search}`, { headers: browser });
    expect(response.status).toBe(403);
    expect(await response.text()).not.toMatch(/<script|<style|style=/);
  });

  it("[X3] a link preview or a prefetch does not spend the code", async () => {
    const http = createTestHttp();
    const { pathname, search } = new URL(http.createLaunchUrl());
    await send(http, "HEAD", pathname + search, { headers: browser });
    await send(http, "GET", pathname + search, { headers: { ...browser, "sec-purpose": "prefetch;prerender" } });
    expect((await send(http, "GET", pathname + search, { headers: browser })).status).toBe(303);
  });

  it("[X3] only the bearer token makes new codes", async () => {
    const http = createTestHttp();
    const made = await send(http, "POST", "/api/launch-codes");
    expect(made.status).toBe(201);
    const { url } = (await made.json()) as { url: string };
    expect((await send(http, "GET", url.slice(testOrigin.length), { headers: browser })).status).toBe(303);
    const cookie = await signIn(http);
    const refused = await send(http, "POST", "/api/launch-codes", { headers: { ...browser, cookie, origin: testOrigin } });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "token-required" }]);
  });
});

describe("session cookie", () => {
  const read = async (http: ReturnType<typeof createTestHttp>, cookie: string) =>
    (await send(http, "GET", "/api/tasks", { headers: { ...browser, cookie, origin: testOrigin } })).status;

  it("[X3] outlives a restart, not its 30 days and not a new token", async () => {
    let now = 1_000_000;
    const cookie = await signIn(createTestHttp({ now: () => now }));
    const restarted = createTestHttp({ now: () => now });
    expect(await read(restarted, cookie)).toBe(200);
    expect(await read(createTestHttp({ token: "another", now: () => now }), cookie)).toBe(401);
    now += 30 * 24 * 60 * 60 * 1000;
    expect(await read(restarted, cookie)).toBe(401);
  });

  it("[X3] cannot be made or prolonged without the key", async () => {
    const http = createTestHttp();
    const cookie = await signIn(http);
    const [name = "", value = ""] = cookie.split("=");
    const [expiry, nonce, signature] = value.split(".");
    const forged = [
      `${Number(expiry) + 1}.${nonce}.${signature}`,
      `${expiry}.x.${signature}`,
      `${expiry}.${nonce}.`,
      `${expiry}.${nonce}`,
      "",
      "..",
      testToken,
    ];
    for (const fake of forged) expect(await read(http, `${name}=${fake}`)).toBe(401);
    expect(await read(http, cookie)).toBe(200);
  });

  it("[X3] has a name per instance and port", async () => {
    const nameOf = async (options: Parameters<typeof createTestHttp>[0]) => (await signIn(createTestHttp(options))).split("=")[0];
    const names = await Promise.all([
      nameOf({}),
      nameOf({ instanceId: "instance-2" }),
      nameOf({ origins: () => ["http://127.0.0.1:4181"] }),
    ]);
    expect(new Set(names).size).toBe(3);
  });

  it("[X3] is Secure under https, and cleared by logout", async () => {
    const http = createTestHttp({ secureCookie: true });
    const { pathname, search } = new URL(http.createLaunchUrl());
    const { headers } = await send(http, "GET", pathname + search, { headers: browser });
    expect(headers.get("set-cookie")).toMatch(/; Secure$/);
    const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    const logout = await send(http, "POST", "/api/logout", { headers: { ...browser, cookie, origin: testOrigin } });
    expect(logout.status).toBe(204);
    expect(logout.headers.get("set-cookie")).toMatch(/^skein_[0-9a-f]{8}=; .*Max-Age=0/);
  });
});

describe("credentials", () => {
  it("[X4] without a credential every API route but health is 401", async () => {
    const http = createTestHttp();
    expect((await send(http, "GET", "/api/health", { headers: browser })).status).toBe(200);
    for (const path of ["/api/tasks", "/api/events", "/api/openapi.json", "/api/nothing", "/api", "/api/"]) {
      const response = await send(http, "GET", path, { headers: browser });
      expect([path, response.status, response.headers.get("www-authenticate")]).toEqual([path, 401, "Bearer"]);
    }
  });

  it.each(["Bearer wrong", "Bearer ", `Basic ${testToken}`, testToken])("[X4] authorization %j is no credential", async (authorization) => {
    expect((await send(createTestHttp(), "GET", "/api/tasks", { headers: { authorization } })).status).toBe(401);
  });

  it("[X4] the cookie counts on GET with our exact Origin or Sec-Fetch-Site: same-origin, else not", async () => {
    const http = createTestHttp();
    const cookie = await signIn(http);
    const status = async (headers: Record<string, string>) =>
      (await send(http, "GET", "/api/tasks", { headers: { ...browser, cookie, ...headers } })).status;
    expect(await status({ origin: testOrigin })).toBe(200);
    expect(await status({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await status({})).toBe(401);
    for (const site of ["same-site", "cross-site", "none", "same-origin, cross-site"])
      expect(await status({ "sec-fetch-site": site })).toBe(401);
  });

  it("[X4] the cookie counts on unsafe methods with our exact Origin only, with or without a body", async () => {
    const http = createTestHttp();
    const cookie = await signIn(http);
    const status = async (method: string, path: string, headers: Record<string, string>, json?: unknown) =>
      (await send(http, method, path, { headers: { ...browser, cookie, ...headers }, ...(json === undefined ? {} : { json }) })).status;
    expect(await status("DELETE", "/api/tasks/tsk_1", { origin: testOrigin })).toBe(200);
    expect(await status("POST", "/api/projects", { origin: testOrigin }, { path: "/repo" })).toBe(201);
    for (const headers of [{}, { "sec-fetch-site": "same-origin" }]) {
      expect(await status("DELETE", "/api/tasks/tsk_1", headers)).toBe(401);
      expect(await status("POST", "/api/attempts/att_1/activate", headers)).toBe(401);
      expect(await status("POST", "/api/projects", headers, { path: "/repo" })).toBe(401);
    }
  });

  it.each([
    "null",
    "http://evil.example",
    "http://127.0.0.1:4181",
    "https://127.0.0.1:4180",
    `${testOrigin}.evil.example`,
    "http://localhost:4180",
  ])("[X4] Origin %s is 403 whatever the cookie, unless the bearer token is there", async (origin) => {
    const http = createTestHttp();
    const cookie = await signIn(http);
    for (const path of ["/api/tasks", "/api/health", "/api/events", "/"]) {
      const response = await send(http, "GET", path, { headers: { ...browser, cookie, origin, "sec-fetch-site": "same-origin" } });
      expect([response.status, await response.json()]).toMatchObject([403, { code: "origin-not-allowed" }]);
    }
    expect((await send(http, "GET", "/api/tasks", { headers: { origin } })).status).toBe(200);
    expect((await send(http, "GET", "/api/tasks", { headers: { origin, authorization: "Bearer wrong" } })).status).toBe(403);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", null])(
    "[X4] a body of type %s is 415",
    async (type) => {
      const headers = { "content-type": type, "content-length": null };
      const response = await send(createTestHttp(), "POST", "/api/projects", { headers, body: '{"path":"/repo"}' });
      expect([response.status, await response.json()]).toMatchObject([415, { code: "unsupported-media-type" }]);
    },
  );

  it("[X4] no answer has a CORS header, and a preflight is 405", async () => {
    const http = createTestHttp();
    const preflight = {
      origin: "http://evil.example",
      "access-control-request-method": "POST",
      "access-control-request-private-network": "true",
    };
    const responses = [
      await send(http, "OPTIONS", "/api/tasks", { headers: { ...browser, ...preflight } }),
      await send(http, "OPTIONS", "/", { headers: { ...browser, origin: testOrigin } }),
      await send(http, "GET", "/api/tasks", { headers: { origin: testOrigin } }),
    ];
    expect(responses.map((response) => response.status)).toEqual([405, 405, 200]);
    for (const { headers } of responses) expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("headers", () => {
  const requests: [string, string, Record<string, string | null>][] = [
    ["GET", "/", {}],
    ["GET", "/launch?code=wrong", {}],
    ["GET", "/api/health", {}],
    ["GET", "/api/tasks", { authorization: null }],
    ["GET", "/api/nothing", {}],
    ["PUT", "/api/tasks", {}],
    ["GET", "/missing.js", {}],
    ["GET", "/", { host: "evil.example" }],
    ["OPTIONS", "/", {}],
    ["DELETE", "/api/tasks/tsk_1", {}],
    ["GET", "/api/events", {}],
  ];
  it.each(requests)("[X5] %s %s %j has the CSP and its companions", async (method, path, headers) => {
    const response = await send(createTestHttp(), method, path, { headers });
    await response.body?.cancel();
    const policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      ...(path.startsWith("/api") ? { "cache-control": "no-store" } : {}),
    });
  });

  it("[X11] no problem repeats the token", async () => {
    const response = await send(createTestHttp(), "GET", "/api/nothing", { headers: { host: testHost, ...bearer } });
    expect(await response.text()).not.toContain(testToken);
  });
});
