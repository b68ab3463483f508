import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Approval, Attempt, ConversationPage, Task } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { createTestDatabases, runOnServer, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { openEventStream } from "./support/event-stream.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

// What the release with schema 19, the last one without workers, nodes, users and jobs, had stored when it was killed, and what its API had
// answered before: an execution that succeeded twice, one that failed, one in place, and one that waited for an approval with a message queued.
const fixtures = join(import.meta.dirname, "__fixtures__/release-19");

interface Recorded {
  work: Record<"one" | "failed" | "inPlace" | "asking", { t: Task; a: Attempt }>;
  answers: Record<string, unknown>;
}

function unpack(kind: "sqlite" | "postgres"): { home: string; recorded: Recorded } {
  const home = newFolder("previous");
  execFileSync("tar", ["-xzf", join(fixtures, `${kind}.tar.gz`), "-C", home]);
  return { home, recorded: JSON.parse(readFileSync(join(fixtures, `${kind}.json`), "utf8")) as Recorded };
}

/** The repository is in another place than on the machine of the recording. */
const moveProject = (path: string): string => `UPDATE projects SET path = '${path}'`;

const withoutSeq = (answer: unknown): unknown => {
  if (typeof answer !== "object" || answer === null || !("lastSeq" in answer)) return answer;
  const { lastSeq: _, ...rest } = answer;
  return rest;
};

async function expectKept(server: RealServer, { work, answers }: Recorded, repository: string): Promise<void> {
  const { api } = server;
  const { one, failed, inPlace, asking } = work;
  const [project] = answers["/api/projects"] as { id: string }[];
  expect(await api.request("GET", "/api/projects")).toMatchObject([{ ...project, path: repository }]);
  const tasks = await api.request<Task[]>("GET", "/api/tasks");
  for (const task of answers["/api/tasks"] as (Task & { activity: object })[]) {
    // the number of the last event of all tasks
    const listed = { ...task, activity: { ...task.activity, seq: expect.any(Number) } };
    // that one has ended by now
    if (task.id !== asking.t.id) expect(tasks.find(({ id }) => id === task.id)).toMatchObject(listed);
  }
  let compared = 0;
  for (const [path, answer] of Object.entries(answers)) {
    const isOver = [one, failed, inPlace].some(({ t, a }) => path.includes(t.id) || path.includes(a.id));
    const isSearch = path.startsWith("/api/search");
    // comments are placed in files, which are not part of the recording
    if (!(isOver || isSearch) || path.endsWith("/comments")) continue;
    expect(await api.request("GET", path), path).toMatchObject(withoutSeq(answer) as object);
    compared++;
  }
  expect(compared).toBe(3 * 4 + 2);

  // its agent is gone: it ends once, and what was queued is kept and not sent
  expect(await api.executions(asking.a.id)).toMatchObject([{ status: "interrupted" }]);
  expect(await api.request<Approval[]>("GET", "/api/approvals?status=pending")).toEqual([]);
  const before = answers[`/api/tasks/${asking.t.id}/conversation?limit=1000`] as ConversationPage;
  const now = await api.conversation(asking.t.id);
  expect(now).toMatchObject({ isExecuting: false, queue: before.queue });
  expect(before.queue).toHaveLength(1);
  expect(now.queuePause).not.toBeNull();
  for (const { id, messageType } of before.messages) expect(now.messages).toContainEqual(expect.objectContaining({ id, messageType }));
}

/** What is new works with what is old. */
async function expectUsable({ api }: RealServer, { work }: Recorded): Promise<void> {
  const model = newScriptedModel([{ text: "New words." }]);
  const attempt = await api.createAttempt(work.failed.t.id, { model, isolation: "worktree" });
  const stream = await openEventStream(api);
  const { executionId } = await api.send(work.failed.t.id, "Once more");
  await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  stream.close();
  expect(await api.executions(attempt.id)).toMatchObject([{ status: "success" }]);
  expect(attempt.number).toBe(2);
  expect(await api.request("GET", "/api/workers")).toEqual([]);
  expect(await api.request("GET", "/api/jobs")).toMatchObject({ jobs: expect.any(Array) });
}

describe("[Q24] data of the release before workers, nodes, users and jobs", () => {
  test("on SQLite: opens, unchanged in meaning, and can be used", { timeout: 240_000 }, async () => {
    const { home, recorded } = unpack("sqlite");
    const repository = newRepository();
    const file = join(home, "skein.db");
    {
      using database = new DatabaseSync(file);
      expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 19 });
      database.exec(moveProject(repository));
    }
    const server = await startRealServer({ home });
    await expectKept(server, recorded, repository);
    await expectUsable(server, recorded);
    await server.stop();
    using database = new DatabaseSync(file);
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  });

  describe.skipIf(testServerUrl === undefined)("on Postgres", () => {
    const databases = createTestDatabases();

    test("opens, unchanged in meaning, belongs to the server that opens it, and can be used", { timeout: 240_000 }, async () => {
      const { home, recorded } = unpack("postgres");
      const repository = newRepository();
      const url = await databases.create();
      await runOnServer(url, readFileSync(join(home, "dump.sql"), "utf8"));
      await runOnServer(url, `DO $$ BEGIN ASSERT (SELECT version FROM public.schema_version) = 19; END $$; ${moveProject(repository)}`);
      const server = await startRealServer({ home, environment: { SKEIN_DATABASE_URL: url, SKEIN_NODE_NAME: "new" } });
      await expectKept(server, recorded, repository);
      await expectUsable(server, recorded);
      expect(await server.api.request("GET", "/api/nodes")).toMatchObject([{ name: "new", state: "active" }]);
    });
  });
});
