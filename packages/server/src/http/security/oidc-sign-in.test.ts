import { oidcStartedSchema, problemSchema } from "@skein/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ScriptedProvider, startScriptedProvider, type Tampering } from "../../team/oidc-provider.fixture.ts";
import { send, testOrigin } from "../testing/test-http.ts";
import { createTestTeam, type TestTeam, toBrowser } from "../testing/test-team.ts";

let provider: ScriptedProvider;
let other: ScriptedProvider;
let team: TestTeam;

beforeEach(async () => {
  [provider, other] = [await startScriptedProvider(), await startScriptedProvider()];
  const toSettings = (id: string, { issuer, clientId, clientSecret }: ScriptedProvider) => ({
    ...{ id, name: id, issuer, clientId, clientSecret, createUsersFrom: ["corp.example"] },
  });
  team = await createTestTeam({ oidc: [toSettings("demo", provider), toSettings("other", other)] });
});
afterEach(async () => {
  await team[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const page = { authorization: null, origin: testOrigin };
const ada = { sub: "ada-1", email: "ada@example.com", email_verified: true, name: "Ada" };

async function start(id = "demo", json: object = {}) {
  const response = await send(team.http, "POST", `/api/sign-in/${id}/start`, { headers: page, json });
  expect(response.status).toBe(200);
  const setCookie = response.headers.getSetCookie()[0] ?? "";
  expect(setCookie).toMatch(/HttpOnly; SameSite=Lax/);
  return { url: oidcStartedSchema.parse(await response.json()).url, cookie: setCookie.split(";")[0] ?? "" };
}

/** The provider's redirect, followed by the browser: a top-level navigation, without an Origin. */
async function comeBack(address: string, cookie: string) {
  const { pathname, search } = new URL(address);
  const response = await send(team.http, "GET", pathname + search, { headers: { authorization: null, cookie } });
  expect(response.status).toBe(303);
  return response.headers.get("location") ?? "";
}

const exchange = (location: string, cookie: string) =>
  send(team.http, "POST", "/api/sessions", { headers: { ...page, cookie }, json: { code: location.split("#")[1] ?? "" } });

async function signIn(claims: Record<string, unknown>, json: object = {}) {
  const { url, cookie } = await start("demo", json);
  const location = await comeBack(provider.visit(url, claims), cookie);
  return { location, cookie, response: await exchange(location, cookie) };
}

const problemOf = (location: string) => JSON.parse(new URL(location, testOrigin).searchParams.get("problem") ?? "{}").code;

describe("sign-in with OpenID Connect", () => {
  it("[W5] signs an existing user in by a verified address, with both secrets of a session, and keeps every rule of the protocol", async () => {
    await team.addUser("ada", { role: "viewer" });
    const { response, location, cookie } = await signIn(ada);
    const browser = await toBrowser(response);
    const me = await (await send(team.http, "GET", "/api/me", { headers: browser })).json();
    expect(me).toMatchObject({ user: { id: "usr_ada", name: "ada" }, projects: [{ projectId: "prj_1", role: "viewer" }] });
    expect(provider.violations).toEqual([]);
    // the code works once
    expect((await exchange(location, cookie)).status).toBe(401);
    // the next time the identity counts, whatever the address
    const again = await signIn({ ...ada, email: "somebody@else.example", email_verified: false });
    expect(again.response.status).toBe(200);
  });

  it("[W5] an address that is not verified, or is unknown, signs nobody in; a domain of the settings creates a user without projects", async () => {
    await team.addUser("ada");
    expect(problemOf((await signIn({ ...ada, email_verified: false })).location)).toBe("sign-in-not-invited");
    expect(problemOf((await signIn({ ...ada, sub: "x", email: "stranger@example.org" })).location)).toBe("sign-in-not-invited");
    expect(problemOf((await signIn({ ...ada, sub: "y", email: "evil@corp.example.evil.test" })).location)).toBe("sign-in-not-invited");
    const { response } = await signIn({ sub: "new", email: "new@corp.example", email_verified: true, name: "New" });
    const me = await (await send(team.http, "GET", "/api/me", { headers: await toBrowser(response) })).json();
    expect(me).toMatchObject({ isAdmin: false, projects: [], user: { email: "new@corp.example", hasPassword: false } });
  });

  it("[W5] an invitation can be accepted with OpenID Connect, once", async () => {
    const { url } = await team.team.invitations.create({ isAdmin: true, projects: [], days: 1 }, undefined);
    const invitation = new URL(url).hash.slice(1);
    const { response } = await signIn({ ...ada, email: "boss@example.com" }, { invitation });
    expect(response.status).toBe(200);
    expect(problemOf((await signIn({ ...ada, sub: "second", email: "two@example.com" }, { invitation })).location)).toBe(
      "invitation-not-valid",
    );
  });

  it.each<[string, Tampering]>([
    ["another nonce", { claims: { nonce: "replayed" } }],
    ["another audience", { claims: { aud: "another-client" } }],
    ["another issuer", { claims: { iss: "https://evil.example" } }],
    ["an expired token", { claims: { exp: 1 } }],
    ["a signature of a key that is not published", { foreignKey: true }],
    ["no signature", { unsigned: true }],
    ["a response of another issuer", { responseIssuer: "https://evil.example" }],
  ])("[X21] an answer with %s is refused", async (_, tampering) => {
    await team.addUser("ada");
    provider.tamper(tampering);
    expect(problemOf((await signIn(ada)).location)).toBe("sign-in-not-completed");
  });

  it("[X21] the answer of one provider is not accepted as that of another, in another browser, twice, or late", async () => {
    await team.addUser("ada");
    const { url, cookie } = await start();
    // mix-up: the code of an attacker's provider is sent to the other's redirect address
    const mixed = new URL(provider.visit(url, ada));
    mixed.pathname = "/api/sign-in/other/callback";
    expect(problemOf(await comeBack(mixed.href, cookie))).toBe("sign-in-not-completed");

    const elsewhere = await start();
    expect(problemOf(await comeBack(provider.visit(elsewhere.url, ada), (await start()).cookie))).toBe("sign-in-not-completed");

    const twice = await start();
    const address = provider.visit(twice.url, ada);
    const location = await comeBack(address, twice.cookie);
    expect(location).toMatch(/^\/launch#skl_/);
    expect(problemOf(await comeBack(address, twice.cookie))).toBe("sign-in-not-completed");
    // a code that somebody else is made to use signs nobody in: it belongs to the browser that started it
    expect((await exchange(location, "")).status).toBe(401);

    const late = await start();
    const lateAddress = provider.visit(late.url, ada);
    team.clock.now += 11 * 60_000;
    expect(problemOf(await comeBack(lateAddress, late.cookie))).toBe("sign-in-not-completed");
  });

  it("[W5] a provider that does not respond is reported, and nothing is lost", async () => {
    await other[Symbol.asyncDispose]();
    const response = await send(team.http, "POST", "/api/sign-in/other/start", { headers: page, json: {} });
    expect([response.status, problemSchema.parse(await response.json()).code]).toEqual([503, "sign-in-not-completed"]);
    expect((await send(team.http, "POST", "/api/sign-in/none/start", { headers: page, json: {} })).status).toBe(404);
  });
});
