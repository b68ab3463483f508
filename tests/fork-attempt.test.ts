import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, AttemptDiff, HistoryPage, StartedTask } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import type { ApiClient } from "./support/api-client.ts";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { git, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

/** What each of three executions does: the second commits, the third leaves changes. */
const work = newScriptedModel([
  {
    toolCalls: [
      bash(`
        pwd
        if [ ! -e all.txt ]; then echo 1 > one.txt; echo 1 > all.txt
        elif [ ! -e two.txt ]; then
          echo 2 > two.txt; echo 2 > all.txt
          git add -A; git -c user.name=A -c user.email=a@b.invalid commit --quiet --message "both"
        else echo 3 > three.txt; echo 3 > all.txt; rm one.txt
        fi`),
    ],
  },
  { text: "Done." },
]);
const look = newScriptedModel([{ toolCalls: [bash("pwd")] }, { text: "Seen." }]);

async function waitForEnd(api: ApiClient, executionId: string | undefined): Promise<void> {
  const stream = await openEventStream(api, { after: 0 });
  await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  stream.close();
}

async function workThrice(api: ApiClient, input: Partial<Attempt> = {}) {
  const repository = newRepository();
  const project = await api.createProject(repository);
  const task = await api.createTask(project.id);
  const source = await api.createAttempt(task.id, {
    model: work,
    ...(input.isolation === undefined ? {} : { isolation: input.isolation }),
  });
  for (const message of ["Do the first", "Do the second", "Do the third"]) {
    await waitForEnd(api, (await api.send(task.id, message)).executionId);
  }
  const executions = await api.executions(source.id);
  const [first, second, third] = executions.map(({ id }) => id);
  if (first === undefined || second === undefined || third === undefined) throw new Error("three executions");
  return { repository, task, source, first, second, third };
}

const read = (attempt: Attempt, name: string) =>
  existsSync(join(attempt.directory, name)) ? readFileSync(join(attempt.directory, name), "utf8").trim() : null;
const files = (attempt: Attempt) => ["one.txt", "two.txt", "three.txt", "all.txt"].map((name) => read(attempt, name));

async function history(api: ApiClient, attempt: Attempt): Promise<string[]> {
  const found = await api.request<HistoryPage>("GET", `/api/attempts/${attempt.id}/history?offset=0&limit=100`);
  return found.messages.map(({ body }) => JSON.stringify(body.content));
}

describe("forking an attempt", () => {
  test("[G3] from the end of an execution: its files, its last commit and the history up to there, in a worktree of its own", async () => {
    const { api } = await startRealServer();
    const { task, source, first, second } = await workThrice(api);
    const before = git(source.directory, "status", "--porcelain");

    const one = await api.createAttempt(task.id, { model: look, forkFrom: { executionId: first, at: "end" } });
    expect(one).toMatchObject({
      ...{ continuedFrom: source.id, forkedFrom: { executionId: first, at: "end" }, active: true, number: 2, isolation: "worktree" },
      ...{ baseCommit: source.baseCommit, baseBranch: "main" },
    });
    expect(files(one)).toEqual(["1", null, null, "1"]);
    expect(git(one.directory, "rev-parse", "HEAD").trim()).toBe(source.baseCommit);
    await waitForEnd(api, (await api.send(task.id, "Where are you?")).executionId);
    const given = await history(api, one);
    expect(given[0]).toContain("Do the first");
    expect(given.join()).not.toContain("Do the second");
    expect(given.join()).not.toContain(source.directory);
    expect(given.at(-1)).toContain("Seen.");
    expect((await api.conversation(task.id)).messages.at(-1)?.content).toBe("Seen.");

    const two = await api.createAttempt(task.id, { model: look, forkFrom: { executionId: second, at: "end" } });
    expect(files(two)).toEqual(["1", "2", null, "2"]);
    expect(git(two.directory, "log", "-1", "--format=%s").trim()).toBe("both");
    expect(git(two.directory, "status", "--porcelain")).toBe("");
    const diff = await api.request<AttemptDiff>("GET", `/api/attempts/${two.id}/diff`);
    expect(diff.files.map(({ filePath }) => filePath)).toEqual(["all.txt", "one.txt", "two.txt"]);

    expect(git(source.directory, "status", "--porcelain")).toBe(before);
    expect(files(source)).toEqual([null, "2", "3", "3"]);
    const again = await api.createAttempt(task.id, {
      model: look,
      forkFrom: { executionId: (await api.executions(one.id))[0]?.id ?? first, at: "end" },
    });
    expect((await history(api, again)).slice(0, given.length).map((text) => text.replaceAll(again.directory, one.directory))).toEqual(
      given,
    );
  });

  test("[G3] editing an earlier message and sending it again starts a fork from before that message, once", async () => {
    const { api } = await startRealServer();
    const { task, source, second } = await workThrice(api);
    const request = {
      ...{ id: randomUUID(), task: { id: task.id }, message: "Do the second otherwise" },
      attempt: { permissionMode: "full", model: look, agent: "native", forkFrom: { executionId: second, at: "start" } },
    };
    const started = await api.request<StartedTask>("POST", "/api/starts", request);
    const repeated = await api.request<StartedTask>("POST", "/api/starts", request);
    expect(repeated.attempt.id).toBe(started.attempt.id);
    await waitForEnd(api, started.executionId);
    expect(files(started.attempt)).toEqual(["1", null, null, "1"]);
    const texts = await history(api, started.attempt);
    expect(texts.join()).toContain("Do the first");
    expect(texts.join()).toContain("Do the second otherwise");
    expect(texts.join()).not.toContain('Do the second"');
    expect((await api.getTask(task.id)).activeAttemptId).toBe(started.attempt.id);
    expect(files(source)).toEqual([null, "2", "3", "3"]);

    // without an agent, the fork has the source's
    const [first] = await api.executions(source.id);
    const same = await api.request<StartedTask>("POST", "/api/starts", {
      ...{ id: randomUUID(), task: { id: task.id }, message: "Do the first otherwise" },
      attempt: { forkFrom: { executionId: first?.id, at: "start" } },
    });
    expect(same.attempt).toMatchObject({ agent: "native", model: work, permissionMode: "full" });
    await waitForEnd(api, same.executionId);
    expect((await history(api, same.attempt))[0]).toContain("Do the first otherwise");
  });

  test("[G3] an attempt in place forks into a worktree, and the project's folder stays as it is", async () => {
    const { api } = await startRealServer();
    const { task, repository, first } = await workThrice(api, { isolation: "in-place" });
    writeFileSync(join(repository, "mine.txt"), "mine\n");
    const before = git(repository, "status", "--porcelain");
    const fork = await api.createAttempt(task.id, { model: look, forkFrom: { executionId: first, at: "end" } });
    expect(fork.isolation).toBe("worktree");
    expect([...files(fork), read(fork, "mine.txt")]).toEqual(["1", null, null, "1", null]);
    expect(git(repository, "status", "--porcelain")).toBe(before);
    const inPlace = api.createAttempt(task.id, { model: look, isolation: "in-place", forkFrom: { executionId: first, at: "end" } });
    await expect(inPlace).rejects.toMatchObject({ status: 422, problem: { code: "fork-needs-worktree" } });
  });

  test("[G3] what cannot be forked is reported: another task's execution, a running one's end, two sources", async () => {
    const { api } = await startRealServer();
    const project = await api.createProject(newRepository());
    const task = await api.createTask(project.id);
    const running = newScriptedModel([{ toolCalls: [bash("echo half > half.txt; echo up; sleep 1000")] }]);
    const source = await api.createAttempt(task.id, { model: running });
    const stream = await openEventStream(api);
    const { executionId } = await api.send(task.id, "go");
    await stream.waitFor(
      ({ event }) =>
        event.type === "message:added" && event.message.messageType === "tool_execution" && event.message.metadata.output.includes("up"),
    );
    stream.close();
    const [execution] = await api.executions(source.id);
    if (execution === undefined || executionId === undefined) throw new Error("an execution");
    const fork = (taskId: string, input: object) => api.createAttempt(taskId, { model: look, ...input });
    await expect(fork(task.id, { forkFrom: { executionId, at: "end" } })).rejects.toMatchObject({
      ...{ status: 409, problem: { code: "agent-working" } },
    });
    const early = await fork(task.id, { forkFrom: { executionId, at: "start" } });
    expect([read(early, "half.txt"), await history(api, early)]).toEqual([null, []]);
    const other = await api.createTask(project.id);
    await expect(fork(other.id, { forkFrom: { executionId, at: "start" } })).rejects.toMatchObject({
      ...{ status: 422, problem: { code: "fork-source-not-found" } },
    });
    await expect(fork(task.id, { forkFrom: { executionId, at: "start" }, continueFrom: source.id })).rejects.toMatchObject({
      ...{ status: 422 },
    });
  });
});
