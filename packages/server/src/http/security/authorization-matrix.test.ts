import { executionIdSchema, noAgentLimits, type ProjectRole, problemSchema, projectIdSchema, type TokenScope } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Route } from "../route.ts";
import { routeTable } from "../routes/route-table.ts";
import { addressOf, keyOf, sampleBodies } from "../testing/sample-requests.ts";
import { send } from "../testing/test-http.ts";
import { addOther, createTestTeam, type TestTeam } from "../testing/test-team.ts";

type Headers = Record<string, string | null>;

/** Who asks, and what they may do in `prj_1`. */
interface Asker {
  name: string;
  role: ProjectRole | undefined;
  isAdmin: boolean;
  kind: "session" | "token" | "agent" | "program" | "nobody";
  scope?: TokenScope;
  headers(team: TestTeam): Promise<Headers> | Headers;
}

const session = (name: string, role: ProjectRole | undefined, isAdmin = false): Asker => ({
  ...{ name, role, isAdmin, kind: "session" as const },
  headers: (team) => team.signIn(name),
});
const token = (user: string, scope: TokenScope, role: ProjectRole | undefined, isAdmin = false): Asker => ({
  ...{ name: `token of ${user} with ${scope}`, role, isAdmin, kind: "token" as const, scope },
  headers: (team) => team.withToken(user, scope),
});
/** The agent of an execution that nobody in particular sent. */
const agent = (number: number): Asker => ({
  ...{ name: `agent in prj_${number}`, role: number === 1 ? "member" : undefined, isAdmin: false, kind: "agent", scope: "write" },
  async headers({ team, storage }) {
    const execution = await storage.read.findExecution({ id: executionIdSchema.parse(`exe_${number}`) });
    if (execution?.status !== "running") throw new Error("there is no running execution");
    const projectId = projectIdSchema.parse(`prj_${number}`);
    const secret = await team.tokens.createForExecution(execution, { name: "agent", projectId, limits: noAgentLimits });
    return { authorization: `Bearer ${secret}` };
  },
});
const askers: Asker[] = [
  session("admin", "owner", true),
  session("owner", "owner"),
  session("member", "member"),
  session("viewer", "viewer"),
  session("outsider", undefined),
  { name: "nobody", role: undefined, isAdmin: false, kind: "nobody", headers: () => ({ authorization: null }) },
  { name: "the server's token", role: "owner", isAdmin: true, kind: "program", headers: () => ({}) },
  token("owner", "read", "viewer"),
  token("owner", "write", "member"),
  token("owner", "approve", "member"),
  token("owner", "manage", "owner"),
  token("admin", "manage", "owner"),
  token("admin", "admin", "owner", true),
  token("viewer", "manage", "viewer"),
  token("outsider", "manage", undefined),
  agent(1),
  agent(2),
];

const scopes: TokenScope[] = ["read", "write", "approve", "manage", "admin"];
const hasScope = ({ scope }: Asker, needed: TokenScope) => scope === undefined || scopes.indexOf(scope) >= scopes.indexOf(needed);
const ranks: Record<ProjectRole, number> = { viewer: 1, member: 2, owner: 3 };

/** The outcome by the declaration alone: written a second time, without the code that decides. */
function expected({ access, method, scope, agents }: Route, asker: Asker): "allowed" | 401 | 403 | 404 {
  if (access === "public") return "allowed";
  // without an Origin header, a request of nobody is not one of our page
  if (asker.kind === "nobody") return 401;
  // nobody's credential is that of a server
  if (access === "node") return 401;
  if (asker.kind === "agent" && !agents && !(method === "GET" && typeof access === "object" && access.project === "viewer")) return 403;
  if (access === "own-page") return "allowed";
  if (access === "token") return asker.kind === "program" ? "allowed" : 403;
  if (access === "browser") return asker.kind === "session" ? "allowed" : 403;
  if (access === "admin") return asker.isAdmin ? "allowed" : 403;
  if (access === "signed-in") return hasScope(asker, scope ?? (method === "GET" ? "read" : "write")) ? "allowed" : 403;
  if (asker.role === undefined) return 404;
  // the handler refuses agents itself
  const isRefusedLater = agents === "to-refuse" && asker.kind === "agent";
  if (scope !== undefined && !isRefusedLater && !hasScope(asker, scope)) return 403;
  return ranks[asker.role] >= ranks[access.project] ? "allowed" : 403;
}

/** Codes by which the guard refuses; a handler never uses them. */
const refusals = [
  "unauthorized",
  "token-required",
  "browser-required",
  "admin-required",
  "scope-required",
  "role-required",
  "not-for-agents",
];

describe("[X21] role × route", () => {
  let team: TestTeam;
  const headers = new Map<string, Headers>();

  beforeAll(async () => {
    team = await createTestTeam();
    await addOther(team);
    await team.addUser("admin", { isAdmin: true });
    for (const role of ["owner", "member", "viewer"] as const) await team.addUser(role, { role });
    await team.addUser("outsider", { otherRole: "owner" });
    for (const asker of askers) headers.set(asker.name, await asker.headers(team));
  });
  afterAll(() => team[Symbol.asyncDispose]());

  const ask = (route: Route, asker: Asker) => {
    const json = sampleBodies[keyOf(route)];
    return send(team.http, route.method, addressOf(route), {
      headers: headers.get(asker.name) ?? {},
      ...(json === undefined ? {} : { json }),
    });
  };
  const isEnding = (route: Route) => route.path === "/api/logout" || route.path === "/api/me/password";

  it.each(routeTable.filter((route) => !isEnding(route)).map((route) => [keyOf(route), route] as const))("%s", async (_, route) => {
    const found: Record<string, unknown> = {};
    const wanted: Record<string, unknown> = {};
    for (const asker of askers) {
      const response = await ask(route, asker);
      const code =
        response.headers.get("content-type") === "application/problem+json" ? problemSchema.parse(await response.json()).code : undefined;
      if (code === undefined) await response.body?.cancel();
      const isRefused = refusals.includes(code ?? "");
      const isMissing = response.status === 404 && typeof route.access === "object";
      found[asker.name] = isRefused || isMissing ? response.status : "allowed";
      wanted[asker.name] = expected(route, asker);
      expect([asker.name, response.status]).not.toEqual([asker.name, 500]);
    }
    expect(found).toEqual(wanted);
  });

  it.each(routeTable.filter(({ access }) => typeof access === "object").map((route) => [keyOf(route), route] as const))(
    "%s answers an outsider as if nothing were there",
    async (_, route) => {
      const outsider = askers.find(({ name }) => name === "outsider");
      if (outsider === undefined) throw new Error("nobody is an outsider");
      const existing = await (await ask(route, outsider)).text();
      const body = JSON.stringify(sampleBodies[keyOf(route)] ?? null).replace(
        /(?<=")(prj|tsk|att|exe|que|apr|cmt|rul|msg|tpl|sch|hok)_1(?=")/g,
        "$1_9",
      );
      const unknown = await send(team.http, route.method, addressOf(route).replace(/_1(?=\/|$|\?)/g, "_9"), {
        headers: headers.get("outsider") ?? {},
        ...(body === "null" ? {} : { json: JSON.parse(body) }),
      });
      expect(unknown.status).toBe(404);
      expect((await unknown.text()).replaceAll("_9", "_1")).toBe(existing);
    },
  );

  it("every route is in the matrix, and a route of a project names an id of it", () => {
    for (const { access, path, body } of routeTable) {
      if (typeof access === "object") expect([path, path.includes(":id") || body !== undefined]).toEqual([path, true]);
    }
    expect(routeTable.length).toBeGreaterThan(150);
  });
});
