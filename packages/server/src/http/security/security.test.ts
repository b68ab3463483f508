import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionHeader } from "@skein/contracts";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readEvents } from "../testing/event-reader.ts";
import { bearer, createMemorySessions, createTestHttp, send, signIn, testHost, testOrigin, testToken } from "../testing/test-http.ts";
import { assertSafeBinding, UnsafeBindingError } from "./safe-binding.ts";

const browser = { authorization: null };
const codeOf = (url: string) => new URL(url).hash.slice(1);
const redeem = (http: ReturnType<typeof createTestHttp>, code: string, headers: Record<string, string | null> = {}) =>
  send(http, "POST", "/api/sessions", { headers: { ...browser, origin: testOrigin, ...headers }, json: { code } });

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
  const paths = ["/", "/assets/app.js", "/launch", "/api/health", "/api/tasks", "/api/events", "/api/nothing"];
  it.each(paths)("[X2] %s is not answered under another host, with or without the token", async (path) => {
    for (const host of ["evil.example:4180", "127.0.0.1", "127.0.0.1:4181", "localhost:4180", "127.0.0.1:4180.evil.example", null]) {
      const response = await send(createTestHttp(), "GET", path, { headers: { host } });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: "host-not-allowed" });
    }
  });
});

describe("launch code", () => {
  it("[X3, X18] signs a browser in once: an HttpOnly SameSite=Strict cookie, and a secret in the body", async () => {
    const http = createTestHttp();
    const url = new URL(http.createLaunchUrl());
    // browsers never send fragments
    expect([url.origin, url.pathname, url.search]).toEqual([testOrigin, "/launch", ""]);
    const first = await redeem(http, codeOf(url.href));
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await first.json()).toEqual({ secret: expect.stringMatching(/^sks_[\w-]{43}$/), expiresAt: expect.any(Number) });
    expect(first.headers.get("set-cookie")).toMatch(
      /^skein_[0-9a-f]{8}=skc_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    );
    const second = await redeem(http, codeOf(url.href));
    expect([second.status, second.headers.get("set-cookie")]).toEqual([403, null]);
    expect(await second.json()).toMatchObject({ code: "launch-code-not-valid", detail: expect.stringContaining("skein open") });
  });

  it("[X3] has at least 128 bits, expires after ten minutes and ends with the server", async () => {
    let now = 1_000_000;
    const http = createTestHttp({ now: () => now });
    const code = codeOf(http.createLaunchUrl());
    expect(Buffer.from(code.slice(4), "base64url").byteLength).toBeGreaterThanOrEqual(16);
    expect((await redeem(createTestHttp(), code)).status).toBe(403);
    now += 10 * 60 * 1000;
    expect((await redeem(http, code)).status).toBe(403);
  });

  it.each(["", "wrong", "x".repeat(100)])("[X3] %j is no code", async (code) => {
    expect((await redeem(createTestHttp(), code)).status).toBe(403);
  });

  it("[X4] is redeemed by our own page only, and by nothing but a JSON body", async () => {
    const http = createTestHttp();
    const code = codeOf(http.createLaunchUrl());
    for (const origin of ["null", "http://evil.example", "http://127.0.0.1:4181", "http://localhost:4180"])
      expect((await redeem(http, code, { origin })).status).toBe(403);
    expect((await redeem(http, code, { origin: null })).status).toBe(401);
    expect((await redeem(http, code, { "content-type": "text/plain" })).status).toBe(415);
    expect((await send(http, "GET", `/launch?code=${code}`, { headers: browser })).headers.get("set-cookie")).toBeNull();
    expect((await redeem(http, code)).status).toBe(200);
  });

  it("[X3] only the bearer token makes new codes", async () => {
    const http = createTestHttp();
    const made = await send(http, "POST", "/api/launch-codes");
    expect(made.status).toBe(201);
    const { url } = (await made.json()) as { url: string };
    const session = await signIn(http, url);
    const refused = await send(http, "POST", "/api/launch-codes", { headers: { ...browser, ...session, origin: testOrigin } });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "token-required" }]);
  });

  it("[X18] reaches a browser by a 0600 file with a link of its own, which is removed when the link was used, has expired, or the server stops", async () => {
    const folder = mkdtempSync(join(tmpdir(), "skein-launch-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const http = createTestHttp({ launchFolder: () => folder });
    const answer = await send(http, "POST", "/api/launch-codes", { json: { redirectFile: true } });
    const { url, redirectFile = "" } = (await answer.json()) as { url: string; redirectFile?: string };
    expect(statSync(redirectFile).mode & 0o777).toBe(0o600);
    const code = /launch#(skl_[\w-]{43})"/.exec(readFileSync(redirectFile, "utf8"))?.[1] ?? "";
    expect(redirectFile).not.toContain(code);
    expect(codeOf(url)).not.toBe(code);
    expect((await redeem(http, code)).status).toBe(200);
    expect(readdirSync(folder)).toEqual([]);
    http.createLaunchFile();
    await vi.advanceTimersByTimeAsync(10 * 60 * 1000);
    expect(readdirSync(folder)).toEqual([]);
    http.createLaunchFile();
    http.close();
    expect(readdirSync(folder)).toEqual([]);
    // a killed server leaves its file behind; the next one removes it
    http.createLaunchFile();
    const next = createTestHttp({ launchFolder: () => folder }).createLaunchFile();
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([next]);
  });
});

describe("session", () => {
  const read = async (http: ReturnType<typeof createTestHttp>, session: Record<string, string | null>) =>
    (await send(http, "GET", "/api/tasks", { headers: { ...browser, ...session, origin: testOrigin } })).status;

  it("[X3] outlives a restart, not its 30 days and not a new token", async () => {
    let now = 1_000_000;
    const options = { now: () => now, sessionStore: createMemorySessions() };
    const session = await signIn(createTestHttp(options));
    const restarted = createTestHttp(options);
    expect(await read(restarted, session)).toBe(200);
    expect(await read(createTestHttp({ ...options, token: "another" }), session)).toBe(401);
    now += 30 * 24 * 60 * 60 * 1000;
    expect(await read(restarted, session)).toBe(401);
  });

  it("[X18] needs the cookie and the secret of the same session", async () => {
    const http = createTestHttp();
    const [one, other] = [await signIn(http), await signIn(http)];
    expect(await read(http, one)).toBe(200);
    const secret = one[sessionHeader];
    const fakes = [null, "", "x", `${secret}x`, secret.slice(0, -1), other[sessionHeader], testToken, one.cookie.split("=")[1] ?? ""];
    for (const fake of fakes) expect(await read(http, { ...one, [sessionHeader]: fake })).toBe(401);
    expect(await read(http, { [sessionHeader]: secret })).toBe(401);
    const [name = "", value = ""] = one.cookie.split("=");
    for (const fake of ["", "..", testToken, secret, `${value}x`, value.slice(0, -1), other.cookie.split("=")[1]])
      expect(await read(http, { ...one, cookie: `${name}=${fake}` })).toBe(401);
  });

  it("[X11, X18] is stored without its secrets", async () => {
    const store = createMemorySessions();
    const session = await signIn(createTestHttp({ sessionStore: store }));
    const stored = JSON.stringify(store.load());
    expect(store.load()).toHaveLength(1);
    for (const secret of [session[sessionHeader], session.cookie.split("=")[1] ?? "?"]) expect(stored).not.toContain(secret.slice(4));
  });

  it("[X18] cookies of the same name that others set do not lock its browser out", async () => {
    const http = createTestHttp();
    const { cookie, ...secret } = await signIn(http);
    const name = cookie.split("=")[0];
    for (const cookies of [
      `${name}=junk; ${cookie}`,
      `${cookie}; ${name}=junk`,
      `${name}=; ${name}; =; ;; ${name}="x"; other=1; ${cookie};`,
      `${Array.from({ length: 500 }, (_, index) => `${name}=${index}`).join("; ")}; ${cookie}`,
    ]) {
      expect(await read(http, { ...secret, cookie: cookies })).toBe(200);
    }
    expect(await read(http, { ...secret, cookie: `x${cookie}` })).toBe(401);
  });

  it("[X3] has a cookie name per instance and port", async () => {
    const nameOf = async (options: Parameters<typeof createTestHttp>[0]) => (await signIn(createTestHttp(options))).cookie.split("=")[0];
    const names = await Promise.all([
      nameOf({}),
      nameOf({ instanceId: "instance-2" }),
      nameOf({ origins: () => ["http://127.0.0.1:4181"], allowedHosts: () => ["127.0.0.1:4181"] }),
    ]);
    expect(new Set(names).size).toBe(3);
  });

  it("[X3] has a Secure cookie under https", async () => {
    const response = await (async () => {
      const http = createTestHttp({ secureCookie: true });
      return redeem(http, codeOf(http.createLaunchUrl()));
    })();
    expect(response.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  const logout = (http: ReturnType<typeof createTestHttp>, session: Record<string, string>, json?: unknown) =>
    send(http, "POST", "/api/logout", { headers: { ...browser, ...session, origin: testOrigin }, ...(json === undefined ? {} : { json }) });

  it("[X18] ends on the server with logout, also its event streams and after a restart; others stay", async () => {
    const sessionStore = createMemorySessions();
    const http = createTestHttp({ sessionStore });
    const [one, other] = [await signIn(http), await signIn(http)];
    const open = async (session: Record<string, string>) =>
      readEvents(await send(http, "GET", "/api/events", { headers: { ...browser, ...session, origin: testOrigin } }));
    const [stream, otherStream] = [await open(one), await open(other)];
    await Promise.all([stream.next(), otherStream.next()]);
    const answer = await logout(http, one);
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([204, expect.stringMatching(/^skein_[0-9a-f]{8}=; .*Max-Age=0/)]);
    expect(await stream.next()).toBeUndefined();
    expect([await read(http, one), await read(http, other)]).toEqual([401, 200]);
    expect(await read(createTestHttp({ sessionStore }), one)).toBe(401);
    expect(http.services.listenerCount()).toBe(1);
    await otherStream.cancel();
  });

  it("[X18] ends in every browser with “sign out all browsers”", async () => {
    const http = createTestHttp();
    const [one, other] = [await signIn(http), await signIn(http)];
    await logout(http, one, { everywhere: true });
    expect([await read(http, one), await read(http, other)]).toEqual([401, 401]);
    expect(await read(http, await signIn(http))).toBe(200);
  });

  it("[X18] ends when its browser signs in again", async () => {
    const http = createTestHttp();
    const one = await signIn(http);
    const next = await redeem(http, codeOf(http.createLaunchUrl()), one);
    expect([next.status, await read(http, one)]).toEqual([200, 401]);
  });

  it("[X18] a stream that is open when the session expires ends with the next heartbeat", async () => {
    let now = 1_000_000;
    const http = createTestHttp({ now: () => now, limits: { heartbeatMs: 10 } });
    const session = await signIn(http);
    const stream = readEvents(await send(http, "GET", "/api/events", { headers: { ...browser, ...session, origin: testOrigin } }));
    await stream.next();
    now += 30 * 24 * 60 * 60 * 1000;
    expect(await stream.next()).toBeUndefined();
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

  it("[X4] the session counts on GET with our exact Origin or Sec-Fetch-Site: same-origin, else not", async () => {
    const http = createTestHttp();
    const session = await signIn(http);
    const status = async (headers: Record<string, string>) =>
      (await send(http, "GET", "/api/tasks", { headers: { ...browser, ...session, ...headers } })).status;
    expect(await status({ origin: testOrigin })).toBe(200);
    expect(await status({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await status({})).toBe(401);
    for (const site of ["same-site", "cross-site", "none", "same-origin, cross-site"])
      expect(await status({ "sec-fetch-site": site })).toBe(401);
  });

  it("[X4] the session counts on unsafe methods with our exact Origin only, with or without a body", async () => {
    const http = createTestHttp();
    const session = await signIn(http);
    const status = async (method: string, path: string, headers: Record<string, string>, json?: unknown) =>
      (await send(http, method, path, { headers: { ...browser, ...session, ...headers }, ...(json === undefined ? {} : { json }) })).status;
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
  ])("[X4] Origin %s is 403 whatever the session, unless the bearer token is there", async (origin) => {
    const http = createTestHttp();
    const session = await signIn(http);
    for (const path of ["/api/tasks", "/api/health", "/api/events", "/"]) {
      const response = await send(http, "GET", path, { headers: { ...browser, ...session, origin, "sec-fetch-site": "same-origin" } });
      expect([response.status, await response.json()]).toMatchObject([403, { code: "origin-not-allowed" }]);
    }
    expect((await send(http, "GET", "/api/tasks", { headers: { origin } })).status).toBe(200);
    expect((await send(http, "GET", "/api/tasks", { headers: { origin, authorization: "Bearer wrong" } })).status).toBe(403);
  });

  it("[X4] an origin of ours that is not the request's own host is 403", async () => {
    const hosts = ["127.0.0.1:4180", "localhost:4180", "skein.example"];
    const origins = ["http://127.0.0.1:4180", "http://localhost:4180", "https://skein.example"];
    const http = createTestHttp({ allowedHosts: () => hosts, origins: () => origins });
    const session = await signIn(http);
    for (const host of hosts) {
      for (const origin of [...origins, "https://127.0.0.1:4180", "http://skein.example"]) {
        const isOwn = origins.includes(origin) && new URL(origin).host === host;
        for (const [method, path] of [
          ["GET", "/api/tasks"],
          ["GET", "/api/events"],
          ["DELETE", "/api/tasks/tsk_1"],
          ["GET", "/"],
        ] as const) {
          const response = await send(http, method, path, {
            headers: { ...browser, ...session, host, origin, "sec-fetch-site": "same-origin" },
          });
          await response.body?.cancel();
          if (isOwn) expect(response.status).not.toBe(403);
          else expect([host, origin, path, response.status]).toEqual([host, origin, path, 403]);
        }
      }
    }
    const mixed = await send(http, "GET", "/api/tasks", {
      headers: { ...browser, ...session, host: "localhost:4180", origin: testOrigin },
    });
    expect(await mixed.json()).toMatchObject({ code: "origin-not-allowed", detail: expect.stringContaining("proxy") });
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
    ["GET", "/launch", {}],
    ["POST", "/api/sessions", { authorization: null }],
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
      "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types default";
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
