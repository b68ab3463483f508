import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Approval, Project, StartedTask, StartTask, Task } from "@skein/contracts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const generous = { timeout: 60_000, interval: 200 };

let server: RealServer;
let project: Project;
let repository: string;
beforeAll(async () => {
  server = await startRealServer({ keep: true });
  repository = newRepository();
  project = await server.api.createProject(repository);
});
afterAll(() => server.stop());

const start = (input: Partial<StartTask>) => server.api.request<StartedTask>("POST", "/api/starts", input);
const listTasks = () => server.api.request<Task[]>("GET", `/api/tasks?projectId=${project.id}`);
const listBranches = () => git(repository, "branch", "--list", "skein/*", "--format=%(refname:short)").split("\n").filter(Boolean);
const listWorktrees = () => {
  const folder = join(server.home, "worktrees");
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
};

test("[E2] one request creates a task and an attempt and sends the first message; sent again, it creates nothing", async () => {
  const attempt = { agent: "native", model: newScriptedModel([{ text: "Done." }]) };
  const message = "Say that you are done\n\nand nothing else.";
  const input = { id: "start-1", task: { projectId: project.id }, attempt, message };
  const before = (await listTasks()).length;
  // the first response is lost: the same request comes again while it is being handled, and later
  const [first, second] = await Promise.all([start(input), start(input)]);
  expect(second).toEqual(first);
  expect(first.task).toMatchObject({ title: "Say that you are done", description: message, activeAttemptId: first.attempt.id });
  expect(first.attempt).toMatchObject({ taskId: first.task.id, ...attempt, number: 1 });
  await vi.waitFor(async () => expect((await server.api.conversation(first.task.id)).isExecuting).toBe(false), generous);

  const repeated = await start(input);
  expect([repeated.task.id, repeated.attempt.id, repeated.executionId]).toEqual([first.task.id, first.attempt.id, first.executionId]);
  expect(await listTasks()).toHaveLength(before + 1);
  expect(await server.api.executions(first.attempt.id)).toHaveLength(1);
  const { messages } = await server.api.conversation(first.task.id);
  expect(messages.map(({ content }) => content)).toEqual([message, "Done."]);
});

test("[E2] a repeated start after the server was killed returns what the first one created", async () => {
  const input = { id: "start-killed", task: { projectId: project.id }, attempt: { model: "scripted/demo" }, message: "Before the kill" };
  const first = await start(input);
  await server.kill();
  await server.start();
  expect((await start(input)).executionId).toBe(first.executionId);
  expect((await listTasks()).filter(({ title }) => title === "Before the kill")).toHaveLength(1);
});

test("[E2] a start that cannot work leaves no task, no branch and no worktree", async () => {
  const before = { tasks: await listTasks(), branches: listBranches(), worktrees: listWorktrees() };
  const bad: [Partial<StartTask>, string][] = [
    [{ attempt: { agent: "native", model: "nobody/knows" } }, "model-not-usable"],
    [{ attempt: { agent: "native", model: "anthropic/claude-without-a-key" } }, "model-not-usable"],
    [{ attempt: { agent: "native", model: "scripted/no-such-script.json" } }, "model-not-usable"],
    [{ attempt: { agent: "acp:nobody" } }, "agent-not-available"],
    [{ attempt: { model: "scripted/demo", baseBranch: "no-such-branch" } }, "base-not-found"],
    [{ message: " \n" }, "empty-message"],
    [{ task: { projectId: "prj_nobody" as Project["id"] } }, "project-not-found"],
    [{ task: { id: "tsk_nobody" as Task["id"] } }, "task-not-found"],
  ];
  for (const [index, [input, code]] of bad.entries()) {
    const whole = { id: `bad-${index}`, task: { projectId: project.id }, message: "Never", attempt: { model: "scripted/demo" }, ...input };
    await expect(start(whole), code).rejects.toMatchObject({ problem: { code } });
  }
  expect({ tasks: await listTasks(), branches: listBranches(), worktrees: listWorktrees() }).toEqual(before);
  // the id is free: the corrected request is accepted
  const again = await start({ id: "bad-0", task: { projectId: project.id }, message: "Now", attempt: { model: "scripted/demo" } });
  expect(again.task.title).toBe("Now");
});

test("[E2] an existing task is started from a branch, with the permission mode of the settings, and asks if they have none", async () => {
  git(repository, "branch", "release");
  await server.api.request("PATCH", "/api/settings/defaults", { permissionMode: "accept-edits" });
  const task = await server.api.createTask(project.id, "Count the files");
  const model = newScriptedModel([{ toolCalls: [bash("ls | wc -l")] }, { text: "Counted." }]);
  const input = { id: "existing", task: { id: task.id }, message: "Count them", attempt: { model, baseBranch: "release" } };
  const { attempt, ...started } = await start(input);
  expect(started.task.id).toBe(task.id);
  expect(attempt).toMatchObject({ baseBranch: "release", permissionMode: "accept-edits", agent: "native" });
  await vi.waitFor(async () => {
    const waiting = await server.api.request<Approval[]>("GET", `/api/approvals?attemptId=${attempt.id}&status=pending`);
    expect(waiting).toHaveLength(1);
  }, generous);
  await server.api.stop(task.id);
  await server.api.request("PATCH", "/api/settings/defaults", { permissionMode: null });

  // a second attempt at the same task
  const again = await start({ id: "existing-2", task: { id: task.id }, message: "Again", attempt: { model: "scripted/demo" } });
  expect(again.attempt).toMatchObject({ number: 2, active: true, permissionMode: "ask" });
  await server.api.stop(task.id);
});

test("[E2] a start without an agent uses the default of the agent list, also when the one of the settings was removed", async () => {
  const model = newScriptedModel([{ text: "Done." }]);
  await server.api.request("PATCH", "/api/settings/defaults", { agent: "acp:removed", model: "of-the-removed-one" });
  expect(await server.api.request("GET", "/api/agents")).toMatchObject({ defaultAgent: "native" });
  const { attempt } = await start({ id: "removed", task: { projectId: project.id }, message: "Go", attempt: { model } });
  expect(attempt).toMatchObject({ agent: "native", model });
  await server.api.request("PATCH", "/api/settings/defaults", { agent: null, model: null });
});

test("the branches of a repository are listed, newest first, without aliases", async () => {
  const path = newRepository("branches");
  const origin = newFolder("origin");
  execFileSync("git", ["clone", "--quiet", "--bare", path, origin]);
  git(path, "remote", "add", "origin", origin);
  git(path, "fetch", "--quiet", "origin");
  git(path, "remote", "set-head", "origin", "main");
  git(path, "checkout", "--quiet", "-b", "feature/new");
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.invalid", "commit", "--quiet", "--allow-empty", "-m", "later"], {
    cwd: path,
    env: { ...process.env, GIT_COMMITTER_DATE: "2090-01-01T00:00:00Z" },
  });
  git(path, "branch", "skein/an-attempt-1");
  const { id } = await server.api.createProject(path);
  expect(await server.api.request("GET", `/api/projects/${id}/branches`)).toEqual({
    branches: ["feature/new", "main", "origin/main", "skein/an-attempt-1"],
    current: "feature/new",
    truncated: false,
  });
});
