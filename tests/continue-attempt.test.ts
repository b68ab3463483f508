import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Attempt, type AttemptDiff, type AttemptSummary, createId } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { describe, expect, test } from "vitest";
import type { ApiClient } from "./support/api-client.ts";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const work = newScriptedModel([
  { toolCalls: [bash("echo new > new.txt; echo '// more' >> hello.js; git rm -q README.md")] },
  { text: "Changed." },
]);
const look = newScriptedModel([{ text: "Seen." }]);

async function start(api: ApiClient, repository = newRepository()) {
  const project = await api.createProject(repository);
  return { repository, task: await api.createTask(project.id) };
}

async function sendAndWait(api: ApiClient, taskId: string, message: string): Promise<void> {
  const stream = await openEventStream(api, { after: 0 });
  const { executionId } = await api.send(taskId, message);
  await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  stream.close();
}

describe("continuing another attempt", () => {
  test("[E1] the new one has its own worktree with the other's files as they are now, its base, and its own conversation", async () => {
    const { api } = await startRealServer();
    const { task } = await start(api);
    const source = await api.createAttempt(task.id, { model: work });
    await sendAndWait(api, task.id, "Change things");
    writeFileSync(join(source.directory, "script.sh"), "#!/bin/sh\n");
    chmodSync(join(source.directory, "script.sh"), 0o755);
    git(source.directory, "add", "new.txt");
    git(source.directory, "commit", "--quiet", "--message", "part of it");
    const before = git(source.directory, "status", "--porcelain");

    const next = await api.createAttempt(task.id, { model: look, continueFrom: source.id });
    expect(next).toMatchObject({ continuedFrom: source.id, baseCommit: source.baseCommit, baseBranch: "main", active: true, number: 2 });
    expect(next.directory).not.toBe(source.directory);
    expect(git(next.directory, "rev-parse", "HEAD")).toBe(git(source.directory, "rev-parse", "HEAD"));
    expect(git(next.directory, "log", "-1", "--format=%s").trim()).toBe("part of it");
    expect(readFileSync(join(next.directory, "hello.js"), "utf8")).toContain("// more");
    expect([existsSync(join(next.directory, "README.md")), existsSync(join(next.directory, "script.sh"))]).toEqual([false, true]);
    expect(git(source.directory, "status", "--porcelain")).toBe(before);
    const [one, two] = await Promise.all([source, next].map(({ id }) => api.request<AttemptDiff>("GET", `/api/attempts/${id}/diff`)));
    expect(two).toEqual(one);

    writeFileSync(join(next.directory, "only-here.txt"), "x");
    await sendAndWait(api, task.id, "And now?");
    expect((await api.messages(next.id)).map(({ body }) => body.role)).toEqual(["user", "assistant"]);
    expect((await api.conversation(task.id)).messages.map(({ content }) => content)).toEqual(["And now?", "Seen."]);
    expect(existsSync(join(source.directory, "only-here.txt"))).toBe(false);
    const sums = await api.request<AttemptSummary[]>("GET", `/api/tasks/${task.id}/attempts`);
    expect(sums).toMatchObject([
      { id: source.id, totals: { executions: 1 }, lastEnd: { status: "success" } },
      { id: next.id, totals: { executions: 1 } },
    ]);

    // what the new one needs is not deleted
    const refused = api.request("DELETE", `/api/attempts/${source.id}?discard=true`);
    await expect(refused).rejects.toMatchObject({ status: 409, problem: { code: "attempt-continued" } });
    const deleted = await api.request("DELETE", `/api/tasks/${task.id}?discard=true`);
    expect(deleted).toMatchObject({ keptBranches: [source.branch] });
  });

  test("a running one, one whose folder is gone, one in place; and an attempt that cannot be continued is reported", async () => {
    const { api } = await startRealServer();
    const { task, repository } = await start(api);
    const running = newScriptedModel([{ toolCalls: [bash("echo half > half.txt; echo up; sleep 1000")] }]);
    const source = await api.createAttempt(task.id, { model: running });
    const stream = await openEventStream(api);
    await api.send(task.id, "go");
    await stream.waitFor(
      ({ event }) =>
        event.type === "message:added" && event.message.messageType === "tool_execution" && event.message.metadata.output.includes("up"),
    );
    const next = await api.createAttempt(task.id, { model: look, continueFrom: source.id });
    expect(readFileSync(join(next.directory, "half.txt"), "utf8")).toBe("half\n");
    expect(await api.executions(source.id)).toMatchObject([{ status: "running" }]);

    rmSync(next.directory, { recursive: true });
    const third = await api.createAttempt(task.id, { model: look, continueFrom: next.id });
    expect(existsSync(join(third.directory, "README.md"))).toBe(true);

    writeFileSync(join(repository, "mine.txt"), "x");
    const inPlace = await api.createAttempt(task.id, { model: look, isolation: "in-place" });
    const sameFolder = await api.createAttempt(task.id, { model: look, isolation: "in-place", continueFrom: inPlace.id });
    expect([sameFolder.directory, sameFolder.branch, sameFolder.continuedFrom]).toEqual([repository, null, inPlace.id]);
    const ownFolder = await api.createAttempt(task.id, { model: look, continueFrom: inPlace.id });
    expect(existsSync(join(ownFolder.directory, "mine.txt"))).toBe(true);

    const out = api.createAttempt(task.id, { model: look, isolation: "in-place", continueFrom: source.id });
    await expect(out).rejects.toMatchObject({ status: 422, problem: { code: "source-in-worktree" } });
    const other = await api.createTask(task.projectId);
    await expect(api.createAttempt(other.id, { continueFrom: source.id })).rejects.toMatchObject({ problem: { code: "source-not-found" } });
    stream.close();
  });
});

describe("[E11] what an attempt inherits from those that it continues", () => {
  test("their folders are replaced by its own: the project's, that of a worktree behind a symbolic link, in requests and in the Context pane", async () => {
    const home = join(newFolder("link"), "home");
    symlinkSync(newFolder("home"), home);
    const { api } = await startRealServer({ home });
    const { task, repository } = await start(api);
    const first = newScriptedModel([
      { toolCalls: [bash(`echo ${repository}/note.txt; pwd -P`)] },
      { text: `It is ${repository}/note.txt.` },
    ]);
    const source = await api.createAttempt(task.id, { model: first, isolation: "in-place" });
    await sendAndWait(api, task.id, `Look at ${repository}/note.txt, not at ${repository}-2/note.txt`);

    const second = newScriptedModel([{ toolCalls: [bash("pwd; pwd -P")] }, { text: `Also see ${repository}/note.txt.` }]);
    const middle = await api.createAttempt(task.id, { model: second, continueFrom: source.id });
    await sendAndWait(api, task.id, "Where are you?");
    const last = await api.createAttempt(task.id, { model: look, continueFrom: middle.id });
    await sendAndWait(api, task.id, `Compare with ${middle.directory}`);

    const request = async (attempt: Attempt) =>
      JSON.stringify((await api.request<{ body: unknown }>("GET", `/api/attempts/${attempt.id}/request`)).body);
    const history = async (attempt: Attempt) =>
      JSON.stringify(await api.request("GET", `/api/attempts/${attempt.id}/history?offset=0&limit=100`));
    for (const given of [await request(last), await history(last)]) {
      expect(given).toContain(`Look at ${last.directory}/note.txt, not at ${repository}-2/note.txt`);
      expect(given).toContain(`Also see ${last.directory}/note.txt.`);
      // messages of the attempt itself are not changed
      expect(given).toContain(`Compare with ${middle.directory}`);
      const named = new Set(
        given
          .match(/\/[\w/.-]+?(?=\/note|[\s"\\])/g)
          ?.filter((path) => [home, realpathSync(home), repository].some((folder) => path.startsWith(folder))),
      );
      expect([...named].toSorted()).toEqual([`${repository}-2`, last.directory, middle.directory].toSorted());
    }
    // messages stay unchanged in their own attempt
    expect(JSON.stringify(await api.messages(source.id))).toContain(`It is ${repository}/note.txt.`);
  });
});

test("[E11] a command that changes the user's checkout or another attempt is shown with the file", async () => {
  const { api } = await startRealServer();
  const { task, repository } = await start(api);
  const other = await api.createAttempt(task.id, { model: look });
  const model = newScriptedModel([
    { toolCalls: [bash(`echo x > ${repository}/theirs.txt; echo x > ${other.directory}/theirs.txt`)] },
    { toolCalls: [bash(`cat ${repository}/README.md > mine.txt`)] },
    { text: "Done." },
  ]);
  await api.createAttempt(task.id, { model, permissionMode: "full" });
  // files that were created just before a command count as changed by it
  await delay(1500);
  await sendAndWait(api, task.id, "Go");
  const { messages } = await api.conversation(task.id);
  const notices = messages.filter(({ messageType }) => messageType === "notice");
  const expected = [
    { owner: "checkout", files: [`${repository}/theirs.txt`] },
    { owner: "another-attempt", files: [`${other.directory}/theirs.txt`] },
  ] as const;
  expect(notices.map(({ metadata, content }) => [metadata, content])).toMatchObject(
    expected.map(({ owner, files }) => [
      { code: "changed-elsewhere" },
      formatText({ code: "changed-elsewhere", owner, files: [...files], isCertain: false }),
    ]),
  );
});

describe("creating an attempt", () => {
  test("[E2] the same id again returns the same attempt, also concurrently; several at once get their own numbers", async () => {
    const { api } = await startRealServer();
    const { task, repository } = await start(api);
    const id = createId("att");
    const create = (input: { id?: Attempt["id"] } = {}) => api.createAttempt(task.id, { model: look, ...input });
    const same = await Promise.all([create({ id }), create({ id }), create({ id })]);
    expect(new Set(same.map((attempt) => JSON.stringify(attempt))).size).toBe(1);
    expect((await create({ id })).id).toBe(id);
    const others = await Promise.all([create(), create(), create()]);
    expect(others.map(({ number }) => number).toSorted()).toEqual([2, 3, 4]);
    expect(git(repository, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(5);
    const other = await api.createTask(task.projectId);
    await expect(api.createAttempt(other.id, { id })).rejects.toMatchObject({ status: 409, problem: { code: "attempt-id-taken" } });
  });
});
