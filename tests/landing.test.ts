import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AttemptDiff, GitState, Project, Restored, Review, ReviewComment, UpdatedAttemptBase } from "@skein/contracts";
import { expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { git, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const first = newScriptedModel([
  { toolCalls: [bash("printf 'one\\ntwo\\nthree\\n' > work.txt; printf 'export const hello = 1;\\n' > hello.js")] },
  { text: "Done." },
]);
const second = newScriptedModel([
  { toolCalls: [bash("printf 'one\\n2\\nthree\\n' > work.txt; echo more > more.txt")] },
  { text: "Fixed." },
]);

async function start() {
  const server = await startRealServer();
  const { api } = server;
  const repository = newRepository();
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.invalid");
  const task = await api.createTask((await api.createProject(repository)).id, "Add work");
  const attempt = await api.createAttempt(task.id, { model: first, permissionMode: "full" });
  const ended = (count: number) =>
    expect
      .poll(async () => (await api.executions(attempt.id)).map(({ status }) => status), { timeout: 60_000 })
      .toEqual(Array.from({ length: count }, () => "success"));
  await api.send(task.id, "Work");
  await ended(1);
  // its files are recorded after its end: what a test writes meanwhile would be recorded, too
  const [execution] = await api.executions(attempt.id);
  await api.request("GET", `/api/executions/${execution?.id}/diff`);
  const path = `/api/attempts/${attempt.id}`;
  return {
    ...{ server, api, repository, task, attempt, ended, directory: attempt.directory },
    get: <T>(part: string) => api.request<T>("GET", `${path}/${part}`),
    post: <T>(part: string, body: unknown = {}) => api.request<T>("POST", `${path}/${part}`, body),
    state: () => api.request<GitState>("GET", `${path}/git`),
  };
}

test("[G1, G2, G3, G5] review, fix, commit, land and undo: from a task to a merged change", async () => {
  const { server, api, repository, task, attempt, ended, directory, get, post, state } = await start();
  const stream = await openEventStream(api);

  // review
  const comment = await post<ReviewComment>("comments", { path: "work.txt", startLine: 2, body: "Use a digit." });
  expect(comment).toMatchObject({ state: "draft", quote: "two", isOutdated: false });
  await post("comments", { body: "Add a second file." });
  await stream.waitFor(({ event }) => event.type === "review:changed");
  writeFileSync(join(directory, "work.txt"), "zero\none\ntwo\nthree\n");
  expect((await get<Review>("comments")).comments[0]).toMatchObject({ startLine: 3, isOutdated: false });
  writeFileSync(join(directory, "work.txt"), "one\ntwo\nthree\n");
  await api.request("PATCH", `/api/attempts/${attempt.id}`, { model: second });
  const patch = (resolved: boolean) => api.request<ReviewComment>("PATCH", `/api/comments/${comment.id}`, { resolved });
  await expect(patch(true)).rejects.toMatchObject({ status: 409, problem: { code: "comment-not-sent" } });
  await post("review", { id: "review-1" });
  await post("review", { id: "review-1" });
  await ended(2);
  expect([(await patch(true)).state, (await patch(false)).state]).toEqual(["resolved", "sent"]);
  const sent = (await api.messages(attempt.id)).filter(({ body }) => body.role === "user").at(-1)?.body.content;
  expect(JSON.stringify(sent)).toContain("line 2\\n```\\ntwo\\n```\\nUse a digit.");
  const { comments } = await get<Review>("comments");
  expect(comments.map(({ state: one, isOutdated }) => [one, isOutdated])).toEqual([
    ["sent", true],
    ["sent", false],
  ]);

  // files of before the second execution, and back
  const [, later] = await api.executions(attempt.id);
  const { paths, safetyRef } = await post<Restored>("restore", { executionId: later?.id, to: "before" });
  expect(paths.toSorted()).toEqual(["more.txt", "work.txt"]);
  expect(readFileSync(join(directory, "work.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  await post("restore", { ref: safetyRef.ref });
  expect(existsSync(join(directory, "more.txt"))).toBe(true);

  // viewed, until the file changes
  const { files } = await get<AttemptDiff>("diff");
  const contentId = files.find(({ filePath }) => filePath === "work.txt")?.newId ?? "";
  await api.request("PUT", `/api/attempts/${attempt.id}/viewed`, { path: "work.txt", contentId, viewed: true });
  expect((await get<Review>("comments")).viewed).toEqual([{ path: "work.txt", contentId }]);

  // commit and land
  await expect(post("land")).rejects.toMatchObject({ status: 409, problem: { code: "uncommitted" } });
  expect((await state()).dirty).toEqual({ files: 3, paths: ["hello.js", "more.txt", "work.txt"] });
  await post("commit", { message: "Add work", files: [{ path: "work.txt" }] });
  await post("commit", { message: "The rest" });
  await expect(post("commit", { message: "Nothing" })).rejects.toMatchObject({ problem: { code: "nothing-to-commit" } });
  expect(await state()).toMatchObject({ ahead: 2, behind: 0, dirty: { files: 0 } });
  await post("land", { method: "squash" });
  expect(git(repository, "log", "--format=%an %s").trim().split("\n")).toEqual(["Ada Add work", "Test first"]);
  expect(readFileSync(join(repository, "more.txt"), "utf8")).toBe("more\n");
  expect(git(repository, "status", "--porcelain")).toBe("");
  expect((await api.getTask(task.id)).status).toBe("done");
  expect(await state()).toMatchObject({ ahead: 0, behind: 0, landing: { method: "squash", branch: "main" } });
  await post("undo-land");
  expect(git(repository, "log", "--format=%s").trim()).toBe("first");
  expect((await state()).landing).toBeNull();
  await server.stop();
});

test("[Q18] an operation that fails after its refs moved is completed before the next one, and before the next agent", async () => {
  const { server, api, repository, task, directory, attempt, post, state, ended } = await start();
  const gitDir = git(directory, "rev-parse", "--git-dir").trim();
  /** Stands for a full disk: the index cannot be written. */
  const block = (folder: string) => join(folder, `index.skein-${server.pid}`);
  const operations = () => readdirSync(join(server.home, "git/.operations"));

  mkdirSync(block(gitDir));
  await expect(post("commit", { message: "First" })).rejects.toMatchObject({ status: 503, problem: { code: "operation-interrupted" } });
  expect(operations()).toEqual([`${attempt.id}.json`]);
  // still blocked: the next operation changes nothing and keeps the journal
  writeFileSync(join(directory, "later.txt"), "later\n");
  await expect(post("commit", { message: "Second" })).rejects.toMatchObject({ problem: { code: "operation-interrupted" } });
  expect(git(directory, "log", "-1", "--format=%s").trim()).toBe("First");
  rmSync(block(gitDir), { recursive: true });
  await post("commit", { message: "Second" });
  expect([operations(), git(directory, "status", "--porcelain")]).toEqual([[], ""]);
  expect(git(directory, "log", "-2", "--format=%s").trim().split("\n")).toEqual(["Second", "First"]);

  // an agent starts with the operation completed
  writeFileSync(join(directory, "third.txt"), "third\n");
  mkdirSync(block(gitDir));
  await expect(post("commit", { message: "Third" })).rejects.toMatchObject({ problem: { code: "operation-interrupted" } });
  rmSync(block(gitDir), { recursive: true });
  await api.request("PATCH", `/api/attempts/${attempt.id}`, { model: newScriptedModel([{ text: "Seen." }]) });
  await api.send(task.id, "Look");
  await ended(2);
  expect([operations(), git(directory, "status", "--porcelain")]).toEqual([[], ""]);

  // a landing is recorded, and asking for it again gives it
  mkdirSync(block(join(repository, ".git")));
  await expect(post("land")).rejects.toMatchObject({ problem: { code: "operation-interrupted" } });
  rmSync(block(join(repository, ".git")), { recursive: true });
  expect((await state()).landing).toBeNull();
  expect(await post("land")).toMatchObject({ method: "squash", commit: git(repository, "rev-parse", "main").trim() });
  expect((await state()).landing).toMatchObject({ method: "squash" });
  expect((await api.getTask(task.id)).status).toBe("done");
  expect([operations(), git(repository, "status", "--porcelain")]).toEqual([[], ""]);
  await server.stop();
});

test("[G3] what the user edits between two executions is neither the agent's nor restored, in place as well", async () => {
  const { api } = await startRealServer();
  const repository = newRepository();
  const task = await api.createTask((await api.createProject(repository)).id);
  const model = newScriptedModel([{ toolCalls: [bash("date +%N >> agent.txt")] }, { text: "Done." }]);
  for (const isolation of ["worktree", "in-place"] as const) {
    const attempt = await api.createAttempt(task.id, { model, isolation });
    const file = (name: string) => join(attempt.directory, name);
    const run = async (count: number) => {
      await api.send(task.id, "Work");
      const succeeded = async () => (await api.executions(attempt.id)).filter(({ status }) => status === "success");
      await expect.poll(succeeded, { timeout: 60_000 }).toHaveLength(count);
      const execution = (await api.executions(attempt.id)).at(-1);
      const { files } = await api.request<AttemptDiff>("GET", `/api/executions/${execution?.id}/diff`);
      return { id: execution?.id, files: files.map(({ filePath }) => filePath) };
    };
    writeFileSync(file("before.txt"), "mine\n");
    const first = await run(1);
    expect(first.files).toEqual(["agent.txt"]);
    const said = readFileSync(file("agent.txt"), "utf8");
    writeFileSync(file("mine.txt"), "mine\n");
    writeFileSync(file("README.md"), "mine\n");
    const second = await run(2);
    expect(second.files).toEqual(["agent.txt"]);

    const restore = (executionId: string | undefined, to: string) =>
      api.request<Restored>("POST", `/api/attempts/${attempt.id}/restore`, { executionId, to });
    expect((await restore(second.id, "before")).paths).toEqual(["agent.txt"]);
    expect(["mine.txt", "README.md", "agent.txt"].map((name) => readFileSync(file(name), "utf8"))).toEqual(["mine\n", "mine\n", said]);
    expect((await restore(first.id, "before")).paths).toEqual(["agent.txt"]);
    expect([existsSync(file("agent.txt")), existsSync(file("before.txt")), existsSync(file("mine.txt"))]).toEqual([false, true, true]);
  }
});

test("[G2] with auto-commit, the changes of each execution are committed with its message; it is off by default", async () => {
  const { api, task, attempt, directory, ended, state } = await start();
  expect((await state()).dirty.files).toBe(2);
  const project = await api.request<Project>("PATCH", `/api/projects/${task.projectId}`, { autoCommit: true });
  expect(project.autoCommit).toBe(true);
  await api.request("PATCH", `/api/attempts/${attempt.id}`, { model: second });
  await api.send(task.id, "Use digits\n\nin every line");
  await ended(2);
  await expect.poll(async () => (await state()).dirty.files, { timeout: 60_000 }).toBe(0);
  expect(git(directory, "log", "--format=%an: %s", "main..HEAD").trim()).toBe("Ada: Use digits");
  await api.request("PATCH", `/api/attempts/${attempt.id}`, { model: newScriptedModel([{ text: "Nothing to do." }]) });
  await api.send(task.id, "Again");
  await ended(3);
  expect((await api.request<Project>("PATCH", `/api/projects/${task.projectId}`, { autoCommit: false })).autoCommit).toBeUndefined();
  expect(git(directory, "log", "--format=%s", "main..HEAD").trim()).toBe("Use digits");
});

test("[G4] an update with a conflict survives a restart; the agent is asked, then it is finished", async () => {
  const { server, api, repository, attempt, directory, post, state } = await start();
  await post("commit", { message: "Mine" });
  writeFileSync(join(repository, "hello.js"), "export const hello = 2;\n");
  git(repository, "commit", "--quiet", "--all", "--message", "Theirs");
  expect(await state()).toMatchObject({ ahead: 1, behind: 1 });
  const result = await post<UpdatedAttemptBase>("update");
  expect(result).toMatchObject({ outcome: "conflict", conflict: { files: [{ path: "hello.js", isResolved: false }] } });

  await server.kill();
  await server.start();
  expect((await state()).conflict?.files).toMatchObject([{ path: "hello.js", isResolved: false }]);
  const sides = await api.request(`GET`, `/api/attempts/${attempt.id}/conflict?path=hello.js`);
  expect(sides).toMatchObject({ ours: "export const hello = 2;\n", theirs: "export const hello = 1;\n" });
  await expect(post("conflict", { action: "finish" })).rejects.toMatchObject({ problem: { code: "unresolved-files" } });
  await post("conflict", { action: "write", path: "hello.js", content: "export const hello = 3;\n" });
  const finished = await post<GitState>("conflict", { action: "finish" });
  expect(finished).toMatchObject({ conflict: null, behind: 0 });
  expect(readFileSync(join(directory, "hello.js"), "utf8")).toBe("export const hello = 3;\n");
  const files = (await api.request<AttemptDiff>("GET", `/api/attempts/${attempt.id}/diff`)).files.map(({ filePath }) => filePath);
  expect(files, "against the new base").toEqual(["hello.js", "work.txt"]);
  await server.stop();
});
