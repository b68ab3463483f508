import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ConversationMessage, DeletionResult, ProjectScripts, TaskSummary } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { openEventStream } from "./support/event-stream.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";
import { isOnPostgres } from "./support/server-database.ts";

const waiting = newScriptedModel([{ toolCalls: [bash("echo up > up.txt; sleep 1000")] }]);
const done = newScriptedModel([{ text: "Done." }]);

async function runOnce(api: RealServer["api"], taskId: string) {
  const attempt = await api.createAttempt(taskId, { model: done, isolation: "in-place" });
  const { executionId = "" } = await api.send(taskId, "go");
  await expect.poll(async () => (await api.executions(attempt.id)).map(({ status }) => status), { timeout: 60_000 }).toEqual(["success"]);
  return { attemptId: attempt.id, executionId };
}

const listTrash = (home: string) => readdirSync(join(home, "worktrees/.trash"));

describe("deleting", () => {
  test("[X12, Q6] deleting a running attempt ends its processes and queue and deletes its folder; its branch stays if it has commits", async () => {
    const { api, home } = await startRealServer();
    const repository = newRepository();
    const task = await api.createTask((await api.createProject(repository)).id);
    const attempt = await api.createAttempt(task.id, { model: waiting });
    const stream = await openEventStream(api);
    const { executionId = "" } = await api.send(task.id, "go");
    await api.send(task.id, "and then this");
    const isBash = (message: ConversationMessage) => message.messageType === "tool_execution";
    await stream.waitFor(({ event }) => event.type === "message:added" && isBash(event.message));
    const activity = (await api.request<TaskSummary>("GET", `/api/tasks/${task.id}`)).activity;
    expect(activity).toMatchObject({
      executing: true,
      queued: 1,
      agent: "native",
      runningTool: expect.stringContaining("Running echo up"),
    });
    writeFileSync(join(attempt.directory, "b.txt"), "work");
    git(attempt.directory, "add", "b.txt");
    git(attempt.directory, "commit", "--quiet", "--message", "work");
    writeFileSync(join(attempt.directory, "c.txt"), "more");

    const refused = api.request("DELETE", `/api/attempts/${attempt.id}`);
    await expect(refused).rejects.toMatchObject({
      status: 409,
      problem: { code: "uncommitted-changes", detail: expect.stringContaining("c.txt") },
    });
    expect(findExecutionProcesses({ executionId }).length).toBeGreaterThan(0);
    const result = await api.request<DeletionResult>("DELETE", `/api/attempts/${attempt.id}?discard=true`);
    expect(result).toEqual({ keptBranches: [attempt.branch], cleanups: [] });
    expect(findExecutionProcesses({ executionId })).toEqual([]);
    expect(existsSync(attempt.directory)).toBe(false);
    await expect.poll(() => [existsSync(join(home, "executions", executionId)), listTrash(home)], { timeout: 30_000 }).toEqual([false, []]);
    expect(git(repository, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
    expect(git(repository, "show", `${attempt.branch}:b.txt`)).toBe("work");
    expect(git(repository, "for-each-ref", "refs/skein/"), "trees of its executions").toBe("");
    await stream.waitFor(({ event }) => event.type === "state:conversation-sync" && event.taskId === task.id);
    expect((await api.request<TaskSummary>("GET", `/api/tasks/${task.id}`)).activity).toMatchObject({
      executing: false,
      queued: 0,
      attemptId: null,
    });
    stream.close();
  });

  // with a lock that only SQLite has
  test.skipIf(isOnPostgres)(
    "[Q16] while the database refuses to delete it, an attempt keeps its logs and is not marked as deleted; the deletion is retried",
    async () => {
      const { api, home } = await startRealServer();
      const task = await api.createTask((await api.createProject(newRepository())).id);
      const [first, second] = [await runOnce(api, task.id), await runOnce(api, task.id)];
      const markOf = (executionId: string) => join(home, "executions", executionId, "deleted");
      const remove = (attemptId: string) => api.request<DeletionResult>("DELETE", `/api/attempts/${attemptId}`);
      using database = new DatabaseSync(join(home, "skein.db"));

      database.exec("BEGIN IMMEDIATE");
      await expect(remove(first.attemptId)).rejects.toMatchObject({ status: 503, problem: { code: "storage-unavailable" } });
      expect(existsSync(join(home, "executions", first.executionId))).toBe(true);
      expect(existsSync(markOf(first.executionId))).toBe(false);

      const removed = remove(second.attemptId);
      await expect.poll(() => existsSync(markOf(second.executionId)), { timeout: 60_000 }).toBe(true);
      database.exec("ROLLBACK");
      expect(await removed).toEqual({ keptBranches: [], cleanups: [] });
      await remove(first.attemptId);
      await expect.poll(() => readdirSync(join(home, "executions")), { timeout: 60_000 }).toEqual([]);
    },
  );

  test("a project: nothing is deleted when one worktree has changes; once they are discarded, all worktrees are, and no file of the repository", async () => {
    const { api } = await startRealServer();
    const repository = newRepository();
    const project = await api.createProject(repository);
    const [one, two] = [await api.createTask(project.id), await api.createTask(project.id)];
    const attempts = [await api.createAttempt(one.id, { model: done }), await api.createAttempt(two.id, { model: done })];
    const inPlace = await api.createAttempt(two.id, { model: done, isolation: "in-place" });
    expect(inPlace.directory).toBe(repository);
    writeFileSync(join(repository, "untracked.txt"), "mine");
    writeFileSync(join(attempts[1]?.directory ?? "", "new.txt"), "x");
    await expect(api.request("DELETE", `/api/projects/${project.id}`)).rejects.toMatchObject({ status: 409 });
    expect(attempts.every(({ directory }) => existsSync(directory))).toBe(true);
    expect(await api.request("DELETE", `/api/projects/${project.id}?discard=true`)).toEqual({ keptBranches: [], cleanups: [] });
    expect(attempts.some(({ directory }) => existsSync(directory))).toBe(false);
    expect(readFileSync(join(repository, "untracked.txt"), "utf8")).toBe("mine");
    expect(git(repository, "branch", "--list", "skein/*")).toBe("");
  });

  test("[X8] a trusted cleanup script runs in the worktree before it is deleted; its failure does not prevent the deletion", async () => {
    const { api } = await startRealServer();
    const repository = newRepository();
    const trace = join(newFolder("trace"), "ran");
    mkdirSync(join(repository, ".skein"));
    writeFileSync(
      join(repository, ".skein/project.json"),
      JSON.stringify({ cleanup: `pwd >> '${trace}'; echo bye; setsid sleep 1000 & exit 3` }),
    );
    const project = await api.createProject(repository);
    const task = await api.createTask(project.id);
    const untrusted = await api.createAttempt(task.id, { model: done });
    await api.request("DELETE", `/api/attempts/${untrusted.id}`);
    expect(existsSync(trace)).toBe(false);
    const { hash } = await api.request<ProjectScripts>("GET", `/api/projects/${project.id}/scripts`);
    await api.request("POST", `/api/projects/${project.id}/scripts/trust`, { hash });
    const attempt = await api.createAttempt(task.id, { model: done });
    const result = await api.request<DeletionResult>("DELETE", `/api/tasks/${task.id}`);
    expect(result).toEqual({ keptBranches: [], cleanups: [{ attemptId: attempt.id, exitCode: 3, timedOut: false, output: "bye\n" }] });
    expect(readFileSync(trace, "utf8")).toBe(`${attempt.directory}\n`);
    expect(existsSync(attempt.directory)).toBe(false);
    expect(findExecutionProcesses({ executionId: `cleanup-${attempt.id}` })).toEqual([]);
  });

  test("a folder that somebody deleted is created again by the next message, and the user is notified", async () => {
    const { api } = await startRealServer();
    const task = await api.createTask((await api.createProject(newRepository())).id);
    const attempt = await api.createAttempt(task.id, { model: done });
    const stream = await openEventStream(api);
    rmSync(attempt.directory, { recursive: true });
    const { executionId } = await api.send(task.id, "go");
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    const { messages } = await api.conversation(task.id);
    expect(messages.map(({ content }) => content)).toEqual(["go", expect.stringContaining("recreated from its branch"), "Done."]);
    expect(existsSync(join(attempt.directory, "README.md"))).toBe(true);

    rmSync(attempt.directory, { recursive: true });
    const { path } = await api.request<{ path: string }>("GET", `/api/projects/${task.projectId}`);
    git(path, "worktree", "prune");
    git(path, "branch", "--quiet", "--delete", "--force", attempt.branch ?? "");
    const second = await api.send(task.id, "go");
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === second.executionId);
    expect((await api.executions(attempt.id)).at(-1)).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/no longer exist.*Start a new attempt\./),
    });
    stream.close();
  });
});
