import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, AttemptDiff, FileContent, FolderListing, GitState, ReviewComment } from "@skein/contracts";
import { expect, test } from "vitest";
import { startRealServer } from "./support/real-server.ts";
import { listWorkers, startRealWorker } from "./support/real-worker.ts";
import { git, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const first = newScriptedModel([{ toolCalls: [bash("printf 'one\\ntwo\\nthree\\n' > work.txt; pwd")] }, { text: "Done." }]);
const second = newScriptedModel([{ toolCalls: [bash("printf 'one\\n2\\nthree\\n' > work.txt; seq 1 40000")] }, { text: "Fixed." }]);

test("[W3, W4] from a task to a landed change on a worker: diff, files, review, commit, update, land, outputs", {
  timeout: 240_000,
}, async () => {
  const server = await startRealServer();
  const { api } = server;
  const repository = newRepository();
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.invalid");
  const worker = await startRealWorker(server, { args: ["--tag", "linux"] });
  const project = await api.createProject(repository);
  const task = await api.createTask(project.id, "Add work");
  const attempt = await api.createAttempt(task.id, { model: first, permissionMode: "full", host: "linux" });
  expect(attempt.hostId).toBe(worker.id);
  // in the worker's own data dir, and nothing of it in the server's
  expect(attempt.directory.startsWith(worker.home)).toBe(true);
  expect(existsSync(join(server.home, "worktrees"))).toBe(false);
  const path = `/api/attempts/${attempt.id}`;
  const get = <T>(part: string) => api.request<T>("GET", `${path}/${part}`);
  const post = <T>(part: string, body: unknown = {}) => api.request<T>("POST", `${path}/${part}`, body);
  const ended = (count: number) =>
    expect
      .poll(async () => (await api.executions(attempt.id)).map(({ status }) => status), { timeout: 60_000 })
      .toEqual(Array.from({ length: count }, () => "success"));
  await api.send(task.id, "Work");
  await ended(1);
  expect(readFileSync(join(attempt.directory, "work.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  const shown = JSON.stringify((await api.conversation(task.id)).messages);
  expect(shown).toContain(attempt.directory);

  expect((await get<AttemptDiff>("diff")).files.map(({ filePath }) => filePath)).toEqual(["work.txt"]);
  expect((await get<FolderListing>("folder?path=")).entries.map(({ name }) => name)).toContain("work.txt");
  expect(await get<FileContent>("file?path=work.txt")).toMatchObject({ content: "one\ntwo\nthree\n" });
  expect(await get("request?message=Hi")).toMatchObject({ type: "request" });

  // a review, sent to the agent
  await post<ReviewComment>("comments", { path: "work.txt", startLine: 2, body: "Use a digit." });
  await api.request("PATCH", path, { model: second });
  await post("review", { id: "review-1" });
  await ended(2);
  const executions = await api.executions(attempt.id);
  const changed = await api.request<AttemptDiff>("GET", `/api/executions/${executions[1]?.id}/diff`);
  expect(changed.files.map(({ filePath }) => filePath)).toEqual(["work.txt"]);
  const cards = (await api.conversation(task.id)).messages.filter((message) => message.messageType === "tool_execution");
  const { executionId, outputFile } = cards.at(-1)?.metadata ?? {};
  const output = await fetch(new URL(`/api/executions/${executionId}/outputs/${outputFile}`, api.url), { headers: api.headers });
  expect((await output.text()).split("\n").slice(39_998, 40_000)).toEqual(["39999", "40000"]);

  // the base moves on the server, and the attempt is rebased on the worker
  writeFileSync(join(repository, "other.txt"), "other\n");
  git(repository, "add", "other.txt");
  git(repository, "commit", "--quiet", "--message", "other");
  expect(await get<GitState>("git")).toMatchObject({ behind: 1, dirty: { files: 1 } });
  await expect(post("land")).rejects.toMatchObject({ problem: { code: "uncommitted" } });
  await post("commit", { message: "Add work" });
  expect(await post("update", { method: "rebase" })).toMatchObject({ outcome: "updated" });
  expect(await get<GitState>("git")).toMatchObject({ ahead: 1, behind: 0, dirty: { files: 0 } });
  await post("land", { method: "squash" });
  expect(git(repository, "log", "--format=%an %s").trim().split("\n")).toEqual(["Ada Add work", "Test other", "Test first"]);
  expect(readFileSync(join(repository, "work.txt"), "utf8")).toBe("one\n2\nthree\n");
  expect((await api.getTask(task.id)).status).toBe("done");
  expect(await get<GitState>("git")).toMatchObject({ ahead: 0, landing: { method: "squash" } });

  // deleting it removes the worktree there
  const deleted = await api.request("DELETE", `/api/tasks/${task.id}?discard=true`);
  // its commits are nowhere else
  expect(deleted).toMatchObject({ keptBranches: ["skein/add-work-1"] });
  await expect.poll(() => existsSync(attempt.directory)).toBe(false);
  expect(git(repository, "for-each-ref", "--format=%(refname)", "refs/skein").trim()).toBe("");
  expect((await listWorkers(server)).map(({ running, waiting }) => [running, waiting])).toEqual([[0, 0]]);
});

test("[W3] an attempt moves between machines with its uncommitted changes, also when its worker is gone", {
  timeout: 240_000,
}, async () => {
  const server = await startRealServer();
  const { api } = server;
  const repository = newRepository();
  const one = await startRealWorker(server, { name: "one" });
  await startRealWorker(server, { name: "two" });
  const project = await api.createProject(repository);
  const task = await api.createTask(project.id, "Add work");
  const attempt = await api.createAttempt(task.id, { model: first, permissionMode: "full", host: "one" });
  const move = (host: string | null) => api.request<Attempt>("POST", `/api/attempts/${attempt.id}/move`, { host });
  const read = async (directory: string) => readFileSync(join(directory, "work.txt"), "utf8");
  const send = async (count: number, model: string) => {
    await api.request("PATCH", `/api/attempts/${attempt.id}`, { model });
    await api.send(task.id, "Work");
    await expect
      .poll(async () => (await api.executions(attempt.id)).filter(({ status }) => status === "success").length, { timeout: 60_000 })
      .toBe(count);
    await api.request("GET", `/api/executions/${(await api.executions(attempt.id)).at(-1)?.id}/diff`);
  };
  await send(1, first);
  await expect(move("one")).rejects.toMatchObject({ problem: { code: "already-on-host" } });

  // to the server and back to a worker
  const onServer = await move(null);
  expect(onServer.directory.startsWith(server.home)).toBe(true);
  expect(await read(onServer.directory)).toBe("one\ntwo\nthree\n");
  await expect.poll(() => existsSync(attempt.directory)).toBe(false);
  await send(2, second);
  const back = await move("one");
  expect(back).toMatchObject({ hostId: one.id, sessionId: null });
  expect(await read(back.directory)).toBe("one\n2\nthree\n");
  expect(existsSync(onServer.directory)).toBe(false);
  await send(3, first);

  // its machine is lost: the server has what the last execution left
  await one.kill();
  await expect
    .poll(async () => (await listWorkers(server)).find(({ name }) => name === "one")?.isConnected, { timeout: 60_000 })
    .toBe(false);
  const diff = await api.request<AttemptDiff>("GET", `/api/attempts/${attempt.id}/diff`);
  expect(diff.files.map(({ filePath }) => filePath)).toEqual(["work.txt"]);
  await expect(api.request("GET", `/api/attempts/${attempt.id}/file?path=work.txt`)).rejects.toMatchObject({
    status: 503,
    problem: { code: "host-unreachable", host: "one" },
  });
  const moved = await move("two");
  expect(await read(moved.directory)).toBe("one\ntwo\nthree\n");
  await send(4, second);
  expect(await read(moved.directory)).toBe("one\n2\nthree\n");
  const executions = await api.executions(attempt.id);
  for (const { id } of executions) {
    const { files } = await api.request<AttemptDiff>("GET", `/api/executions/${id}/diff`);
    expect(files.map(({ filePath }) => filePath)).toEqual(["work.txt"]);
  }
});
