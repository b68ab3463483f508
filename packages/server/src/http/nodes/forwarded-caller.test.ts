import { sessionHeader } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeHeader } from "../../nodes/node-header.ts";
import { send, testHost, testToken } from "../testing/test-http.ts";
import { createTestTeam, type TestTeam } from "../testing/test-team.ts";
import type { ForwardedRequest } from "./forward-request.ts";
import { clientAddressHeader, forwardedHeader, toHopHeaders } from "./hop-headers.ts";

const secret = "secret-of-the-nodes";
const proof = { [nodeHeader]: secret };

describe("[X21] a request that another server forwards", () => {
  let team: TestTeam;
  let sent: ForwardedRequest[] = [];

  beforeAll(async () => {
    const forward = async (request: ForwardedRequest) => {
      sent.push(request);
      return undefined;
    };
    team = await createTestTeam({ nodes: { secret, forward, redeem: async () => false } });
    await team.addUser("viewer", { role: "viewer" });
    await team.addUser("outsider", { otherRole: "owner" });
    await team.addUser("admin", { isAdmin: true });
  });
  afterAll(() => team[Symbol.asyncDispose]());

  /** The headers with which a request would arrive at the other server. */
  async function forwardedHeaders(headers: Record<string, string | null>): Promise<Record<string, string | null>> {
    sent = [];
    await send(team.http, "GET", "/api/tasks", { headers });
    const [request] = sent;
    if (request === undefined) throw new Error("nothing was forwarded");
    return { authorization: null, host: testHost, ...toHopHeaders(request, secret) };
  }
  const statuses = async (headers: Record<string, string | null>) => [
    (await send(team.http, "GET", "/api/projects/prj_1", { headers })).status,
    (await send(team.http, "PATCH", "/api/projects/prj_1", { headers, json: { name: "new" } })).status,
    (await send(team.http, "GET", "/api/nodes", { headers })).status,
  ];

  it.each(["viewer", "outsider", "admin"])("has the rights of its user: %s", async (name) => {
    const [session, token] = [await team.signIn(name), await team.withToken(name, "manage")];
    for (const direct of [session, token]) {
      const headers = await forwardedHeaders(direct);
      expect(headers[forwardedHeader]).toBe("user");
      expect(await statuses(headers)).toEqual(await statuses(direct));
    }
    expect(await statuses(await forwardedHeaders(await team.signIn("viewer")))).toEqual([200, 403, 403]);
  });

  it("has no rights by the proof of the server alone", async () => {
    for (const claim of [{}, { [forwardedHeader]: "user" }, { [forwardedHeader]: "anyone" }, { [forwardedHeader]: "" }]) {
      expect(await statuses({ authorization: null, ...proof, ...claim })).toEqual([401, 401, 401]);
    }
    // nor is the secret a token
    expect(await statuses({ authorization: `Bearer ${secret}` })).toEqual([401, 401, 401]);
  });

  it("reaches no route between servers", async () => {
    const headers = await forwardedHeaders({ authorization: `Bearer ${testToken}` });
    expect(headers[forwardedHeader]).toBe("instance");
    const redeem = (given: Record<string, string | null>) =>
      send(team.http, "POST", "/api/nodes/launch-codes", { headers: given, json: { code: "x" } });
    expect((await redeem(headers)).status).toBe(401);
    expect((await redeem({ authorization: null, ...proof })).status).toBe(200);
  });

  it("is rejected without the proof", async () => {
    const claims = { [forwardedHeader]: "instance", [clientAddressHeader]: "192.0.2.1" };
    for (const guess of [{}, { [nodeHeader]: "" }, { [nodeHeader]: "guess" }, { [nodeHeader]: testToken }]) {
      expect(await statuses({ authorization: null, ...claims, ...guess })).toEqual([401, 401, 401]);
    }
    // a user who claims it remains that user, and the claim is not passed on
    const viewer = { ...(await team.withToken("viewer", "manage")), ...claims, [nodeHeader]: "guess" };
    const passed = await forwardedHeaders(viewer);
    expect([passed[forwardedHeader], passed[clientAddressHeader], passed[sessionHeader]]).toEqual(["user", "unknown", undefined]);
    expect(await statuses(viewer)).toEqual([200, 403, 403]);
  });
});
