import { apiTokenIdSchema, noAgentLimits, sessionHeader, sessionSchema } from "@skein/contracts";
import { silentLogger } from "../../silent-logger.fixture.ts";
import type { TokenAccess } from "../../team/token-access.ts";
import { createHttpApp, type HttpAppOptions, type SkeinHttp } from "../create-http-app.ts";
import { type HttpListener, listen } from "../listen.ts";
import type { SessionStore, StoredSession } from "../security/sessions.ts";
import { createFakeServices, type FakeServices, type ServiceOverrides } from "./fake-services.ts";

export const testToken = "test-token-0123456789";
export const testHost = "127.0.0.1:4180";
export const testOrigin = `http://${testHost}`;
export const bearer = { authorization: `Bearer ${testToken}` };

export type TestHttpOptions = Partial<Omit<HttpAppOptions, "services">> & { services?: ServiceOverrides };

export function createTestHttp(options: TestHttpOptions = {}): SkeinHttp & { services: FakeServices } {
  const services = createFakeServices(options.services);
  const http = createHttpApp({
    token: testToken,
    instanceId: "instance-1",
    allowedHosts: () => [testHost],
    origins: () => [testOrigin],
    secureCookie: false,
    sessionStore: createMemorySessions(),
    launchFolder: () => {
      throw new Error("this test has no folder for launch files");
    },
    loadTokens: () => Promise.reject(new Error("this test has no API tokens")),
    isAgent: async () => false,
    webRoot: null,
    version: "1.2.3",
    logger: silentLogger,
    renderMetrics: async () => "# TYPE a gauge\na 1\n",
    ...options,
    services,
  });
  return { ...http, services };
}

const createdToken = {
  ...{ id: apiTokenIdSchema.parse("tok_1"), userId: null, executionId: null, name: "ci", scope: "read" as const, projectIds: null },
  ...{ limits: noAgentLimits, createdAt: 1, expiresAt: 2, lastUsedAt: null },
};

/** API tokens of a server without users; none is valid. */
export const fakeTokens: TokenAccess = {
  byToken: async () => undefined,
  isOpen: async () => false,
  locateProjects: async () => new Map(),
  servicesFor: () => {
    throw new Error("no token is valid");
  },
  tokens: {
    list: async () => [createdToken],
    create: async () => ({ ...createdToken, token: "ska_1" }),
    createForExecution: async () => "ska_1",
    remove: async () => {},
  },
};

/** Sessions that survive a restart as long as the test holds the store. */
export function createMemorySessions(): SessionStore {
  let kept: readonly StoredSession[] = [];
  return {
    load: () => kept,
    save: (sessions) => {
      kept = sessions;
    },
  };
}

/** Headers that a signed-in page sends. */
export interface BrowserHeaders extends Record<string, string> {
  cookie: string;
  [sessionHeader]: string;
}

/** Signs a browser in by a launch link, as the page does. */
export async function signIn(
  http: SkeinHttp,
  url: string = http.createLaunchUrl(),
  options: { host?: string } = {},
): Promise<BrowserHeaders> {
  const { origin, hash, host } = new URL(url);
  const response = await send(http, "POST", "/api/sessions", {
    headers: { authorization: null, origin, host: options.host ?? host },
    json: { code: hash.slice(1) },
  });
  if (!response.ok) throw new Error(`not signed in: ${response.status} ${await response.text()}`);
  const { secret } = sessionSchema.parse(await response.json());
  return { cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "", [sessionHeader]: secret };
}

/** In-process request with `host` and bearer token by default; null removes a header. */
export async function send(
  http: SkeinHttp,
  method: string,
  path: string,
  options: { headers?: Record<string, string | null>; json?: unknown; body?: string } = {},
): Promise<Response> {
  const headers = new Headers();
  const all = {
    host: testHost,
    ...bearer,
    ...(options.json === undefined ? {} : { "content-type": "application/json" }),
    ...options.headers,
  };
  for (const [name, value] of Object.entries(all)) if (value !== null) headers.set(name, value);
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  return http.app.request(`${testOrigin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
}

/** Listens on a real socket, at any free port. */
export async function listenForTest(
  options: TestHttpOptions = {},
): Promise<{ http: SkeinHttp & { services: FakeServices }; listener: HttpListener; origin: string }> {
  let port = 0;
  const http = createTestHttp({
    ...options,
    allowedHosts: () => [`127.0.0.1:${port}`],
    origins: () => [`http://127.0.0.1:${port}`],
  });
  const listener = await listen({ http, host: "127.0.0.1", port: 0 });
  port = listener.port;
  return { http, listener, origin: `http://127.0.0.1:${port}` };
}
