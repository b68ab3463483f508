import type { AuditPage, StoredComment, User } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { createTestDatabases, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { type ApiClient, createApiClient } from "./support/api-client.ts";
import { listNodes, startNodes } from "./support/nodes.ts";
import type { RealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";

/** A user with a token, as a client of a server. */
async function addUser(server: RealServer, name: string): Promise<{ user: User; at(server: RealServer): ApiClient }> {
  const user = await server.api.request<User>("POST", "/api/users", { email: `${name}@example.com`, name });
  const { token } = await server.api.request<{ token: string }>("POST", "/api/tokens", { userId: user.id, name: "test", scope: "manage" });
  return { user, at: ({ url }) => createApiClient({ url, token }) };
}

describe.skipIf(testServerUrl === undefined)("several servers with users", () => {
  const databases = createTestDatabases();

  test("[W2, X21] a user has the same rights at each of them, also where a request is forwarded", async () => {
    const urlOf = databases.createMigrated();
    const environment = { SKEIN_TEAM: "1", SKEIN_CLUSTER_SECRET: "a secret of the servers" };
    const [first, second] = await startNodes(["first", "second"], { databaseUrl: await urlOf, environment });
    if (first === undefined || second === undefined) throw new Error("not started");
    const [member, viewer, outsider] = [await addUser(first, "Ada"), await addUser(first, "Grace"), await addUser(first, "Eve")];
    const project = await first.api.createProject(newRepository());
    for (const [{ user }, role] of [[member, "member"] as const, [viewer, "viewer"] as const])
      await first.api.request("PUT", `/api/projects/${project.id}/members/${user.id}`, { role });
    const task = await member.at(second).createTask(project.id);
    // needs the repository, which is on the machine of the first
    const attempt = await member.at(second).createAttempt(task.id);
    const byAda = { id: member.user.id, name: "Ada", tokenId: expect.stringMatching(/^tok_/) };
    expect(attempt.by).toEqual(byAda);
    const comments = `/api/attempts/${attempt.id}/comments`;
    const comment = await member.at(second).request<StoredComment>("POST", comments, { body: "Why?" });
    expect(comment.by).toEqual(byAda);
    expect(await viewer.at(second).request("GET", comments)).toEqual(await viewer.at(first).request("GET", comments));

    await expect(viewer.at(second).request("POST", comments, { body: "No" })).rejects.toMatchObject({ status: 403 });
    await expect(outsider.at(second).request("GET", comments)).rejects.toMatchObject({ status: 404 });
    const stranger = createApiClient({ url: second.url, token: first.api.headers.authorization.slice("Bearer ".length) });
    await expect(stranger.request("GET", comments)).rejects.toMatchObject({ status: 401 });
    expect(await second.api.request("GET", comments)).toEqual(await first.api.request("GET", comments));

    // without rights, everyone could do everything there
    const careless = startNodes(["third"], { databaseUrl: await urlOf, environment: {} });
    await expect(careless).rejects.toThrow("Start it with --team");
    expect((await listNodes(first)).map(({ name }) => name)).not.toContain("third");

    const audit = await first.api.request<AuditPage>("GET", "/api/audit?action=POST /api/attempts/:id/comments");
    expect(audit.entries.map(({ outcome, by }) => [outcome, by?.name])).toEqual([
      ["refused", "Grace"],
      ["done", "Ada"],
    ]);
  });
});
