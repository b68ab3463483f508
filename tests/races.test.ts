import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  Attempt,
  AttemptCheck,
  CheckRun,
  CreateAttempt,
  InboxItem,
  Project,
  ProjectScripts,
  StartedRace,
  Task,
  TaskSummary,
} from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasSandbox, newPlaceFolder, removePlaces } from "../packages/agents/src/sandbox/sandbox.fixture.ts";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { startRealWorker } from "./support/real-worker.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

/** Passes where an agent has written “good”; waits where one has written “slow”, until that is gone. */
const check =
  "while cat *.txt | grep -q slow; do sleep 0.1; done; cat *.txt | grep -q good && echo all is well && exit 0; echo it is broken; exit 3";

async function newProject(server: RealServer, scripts: object = { check, checkTimeoutSeconds: 600 }, isTrusted = true) {
  const repository = newRepository();
  mkdirSync(join(repository, ".skein"));
  writeFileSync(join(repository, ".skein/project.json"), JSON.stringify(scripts));
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "scripts");
  const project = await server.api.createProject(repository);
  const path = `/api/projects/${project.id}/scripts`;
  const { hash } = await server.api.request<ProjectScripts>("GET", path);
  if (isTrusted) await server.api.request("POST", `${path}/trust`, { hash });
  return { project, repository };
}

const writes = (text: string, lines = 1) =>
  newScriptedModel([
    { toolCalls: [bash(`for i in $(seq ${lines}); do echo ${text} >> result.txt; done`)], chunkDelayMs: 0 },
    { text: "Done.", chunkDelayMs: 0 },
  ]);
const racer = (model: string): CreateAttempt => ({ agent: "native", model, permissionMode: "full" });

const race = (server: RealServer, project: Project, attempts: CreateAttempt[], id: string = crypto.randomUUID()) =>
  server.api.request<StartedRace>("POST", "/api/races", { id, task: { projectId: project.id, title: "Race" }, message: "go", attempts });

const listAttempts = (server: RealServer, taskId: string) => server.api.request<Attempt[]>("GET", `/api/tasks/${taskId}/attempts`);
const getCheck = (server: RealServer, id: string) => server.api.request<AttemptCheck>("GET", `/api/attempts/${id}/check`);
const listInbox = async (server: RealServer, taskId: string) =>
  (await server.api.request<InboxItem[]>("GET", "/api/inbox")).filter((item) => item.taskId === taskId);

function until<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  return vi.waitFor(
    async () => {
      const value = await read();
      if (!isWanted(value)) throw new Error(`not yet: ${JSON.stringify(value)?.slice(0, 2000)}`);
      return value;
    },
    { timeout: 90_000, interval: 200 },
  );
}
const untilChecked = (server: RealServer, taskId: string, ...states: CheckRun["state"][]) =>
  until(
    () => listAttempts(server, taskId),
    (attempts) => attempts.map((one) => one.check?.state).join() === states.join(),
  );

describe("[L4] races and checks", () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startRealServer({ keep: true });
  });
  afterAll(async () => {
    await server.stop();
    removePlaces();
  });

  test("each attempt of a race is checked when its agent has ended; the race is in the inbox, once, and with its task", async () => {
    const { project } = await newProject(server);
    const { task, attempts, executionIds } = await race(server, project, [
      racer(writes("good", 5)),
      racer(writes("bad")),
      racer(writes("good")),
    ]);
    expect(attempts.map(({ number, active, isolation }) => [number, active, isolation])).toEqual([
      [1, true, "worktree"],
      [2, false, "worktree"],
      [3, false, "worktree"],
    ]);
    expect(executionIds).toHaveLength(3);
    const [first, second] = await untilChecked(server, task.id, "passed", "failed", "passed");
    expect(first?.check).toMatchObject({ exitCode: 0, output: "all is well\n", executionId: executionIds[0] });
    expect(second?.check).toMatchObject({ exitCode: 3, output: "it is broken\n" });
    expect(await listInbox(server, task.id)).toMatchObject([{ kind: "ended", race: { passed: 2, total: 3 } }]);
    const { activity } = await server.api.request<TaskSummary>("GET", `/api/tasks/${task.id}`);
    expect(activity.checks?.map(({ state }) => state)).toEqual(["passed", "failed", "passed"]);

    const { messages } = await server.api.conversation(task.id, `&attemptId=${second?.id}`);
    const card = messages.at(-1);
    expect(card).toMatchObject({
      messageType: "tool_execution",
      content: "Checks failed",
      metadata: { toolName: "check", state: "failed" },
    });
    expect(card?.metadata).toMatchObject({
      details: { type: "commandOutput", data: { command: check, stdout: "it is broken\n", exitCode: 3 } },
    });
    // it is shown, and not part of what a model reads
    expect(JSON.stringify(await server.api.messages(second?.id ?? ""))).not.toContain("it is broken");

    // what was checked is not what is there now
    const id = second?.id ?? "";
    expect(await getCheck(server, id)).toMatchObject({ isOutdated: false });
    writeFileSync(join(second?.directory ?? "", "fixed.txt"), "good\n");
    expect(await getCheck(server, id)).toMatchObject({ isOutdated: true, check: { state: "failed" } });
    await server.api.request("POST", `/api/attempts/${id}/check`);
    await untilChecked(server, task.id, "passed", "passed", "passed");
    expect(await getCheck(server, id)).toMatchObject({ isOutdated: false });

    // archiving, and undoing it
    await expect(server.api.request("PATCH", `/api/attempts/${attempts[0]?.id}`, { archived: true })).rejects.toMatchObject({
      status: 409,
    });
    await server.api.request("PATCH", `/api/attempts/${id}`, { archived: true });
    const after = await server.api.request<TaskSummary>("GET", `/api/tasks/${task.id}`);
    expect(after.activity.checks?.map(({ attemptId }) => attemptId)).toEqual([attempts[0]?.id, attempts[2]?.id]);
    expect(await server.api.request("PATCH", `/api/attempts/${id}`, { archived: false })).toMatchObject({ archived: false });
  });

  test("a check that takes too long, or is stopped, ends with all its processes; a message stops it, too", async () => {
    const { project } = await newProject(server, { check, checkTimeoutSeconds: 6 });
    const { task, attempts } = await race(server, project, [racer(writes("slow")), racer(writes("good"))]);
    const [slow] = attempts as [Attempt, Attempt];
    const [timedOut] = await untilChecked(server, task.id, "timed-out", "passed");
    expect(timedOut?.check).toMatchObject({ exitCode: null });
    expect(findExecutionProcesses({ executionId: `check-${slow.id}` })).toEqual([]);

    const run = `/api/attempts/${slow.id}/check`;
    const untilRunning = () => untilChecked(server, task.id, "running", "passed");
    await server.api.request("POST", run);
    await untilRunning();
    await expect(server.api.request("POST", run)).rejects.toMatchObject({ problem: { code: "check-open" } });
    await server.api.request("POST", `${run}/stop`);
    await untilChecked(server, task.id, "stopped", "passed");
    expect(findExecutionProcesses({ executionId: `check-${slow.id}` })).toEqual([]);
    await expect(server.api.request("POST", `${run}/stop`)).rejects.toMatchObject({ problem: { code: "no-open-check" } });

    const { check: running } = await server.api.request<AttemptCheck>("POST", run);
    await untilRunning();
    await server.api.send(task.id, "more");
    // the execution that stopped it is checked in its turn
    await untilChecked(server, task.id, "timed-out", "passed");
    const { messages } = await server.api.conversation(task.id);
    const card = messages.find(({ id }) => id === `msg_${running?.id.slice("chk_".length)}_check`);
    expect(card).toMatchObject({ content: "Checks were interrupted", metadata: { state: "interrupted" } });
  });

  test("a project may want a check after each execution; without trust, or without a script, it says why it did not run", async () => {
    const { project } = await newProject(server, { check }, false);
    const task = await server.api.createTask(project.id);
    const attempt = await server.api.createAttempt(task.id, racer(writes("good")));
    await server.api.send(task.id, "go");
    const summary = () => server.api.request<TaskSummary>("GET", `/api/tasks/${task.id}`);
    await until(summary, ({ activity }) => activity.lastEnd !== null);
    expect(await getCheck(server, attempt.id)).toEqual({ check: null, isOutdated: null });
    await server.api.request("PATCH", `/api/projects/${project.id}`, { runChecks: true });
    await server.api.send(task.id, "again");
    const [unchecked] = await untilChecked(server, task.id, "not-run");
    expect(unchecked?.check).toMatchObject({ reason: { code: "check-not-trusted", state: "untrusted" } });
    expect(await listInbox(server, task.id)).toMatchObject([{ kind: "ended" }]);
  });

  test("[Q5] wrong input creates nothing, a repeated request no second race", async () => {
    const { project, repository } = await newProject(server);
    const good = racer(writes("good"));
    const tasks = async () => (await server.api.request<Task[]>("GET", `/api/tasks?projectId=${project.id}`)).length;
    const wrong: CreateAttempt[] = [
      { agent: "acp:missing" },
      { ...good, model: "scripted/no-such-file.json" },
      { ...good, baseBranch: "no-such-branch" },
    ];
    for (const attempt of wrong) await expect(race(server, project, [good, attempt])).rejects.toThrow();
    await expect(race(server, project, [good])).rejects.toMatchObject({ status: 400 });
    expect(await tasks()).toBe(0);
    expect(git(repository, "branch", "--list", "skein/*")).toBe("");

    const [one, other] = await Promise.all([race(server, project, [good, good], "same"), race(server, project, [good, good], "same")]);
    expect(other?.attempts.map(({ id }) => id)).toEqual(one?.attempts.map(({ id }) => id));
    const again = await race(server, project, [good, good], "same");
    expect(again.raceId).toBe(one?.raceId);
    expect(again.executionIds).toEqual(one?.executionIds);
    await expect(race(server, project, [good, good, good], "same")).rejects.toMatchObject({ problem: { code: "request-id-reused" } });
    expect(await tasks()).toBe(1);
    const more = await server.api.request<StartedRace>("POST", `/api/tasks/${one?.task.id}/race`, {
      message: "go",
      attempts: [good, good],
    });
    expect(more.attempts.map(({ number }) => number)).toEqual([3, 4]);
    await untilChecked(server, more.task.id, "passed", "passed", "passed", "passed");
  });

  test("[L1] with a limit of one, the attempts of a race run one after the other", async () => {
    const { project } = await newProject(server);
    await server.api.request("PATCH", "/api/settings/general", { limits: { running: 1 } });
    const waits = newScriptedModel([
      { toolCalls: [bash("until [ -e go ]; do sleep 0.05; done; rm go; echo good > result.txt")], chunkDelayMs: 0 },
      { text: "Done.", chunkDelayMs: 0 },
    ]);
    const { task, attempts } = await race(server, project, [racer(waits), racer(waits)]);
    const summary = () => server.api.request<TaskSummary>("GET", `/api/tasks/${task.id}`);
    const isWaiting = ({ activity: { open } }: TaskSummary) =>
      open.length === 2 && open.filter(({ wait }) => wait?.for === "limit").length === 1;
    await until(summary, isWaiting);
    for (const { directory } of attempts) writeFileSync(join(directory, "go"), "");
    await untilChecked(server, task.id, "passed", "passed");
    await server.api.request("PATCH", "/api/settings/general", { limits: { running: null } });
  });

  test.skipIf(!hasSandbox)("[L7] a check honours the sandbox of its attempt", async () => {
    const outside = newPlaceFolder();
    const { project } = await newProject(server, { check: `echo x > made.txt; echo x > ${outside}/leak && exit 9; echo confined` });
    const task = await server.api.createTask(project.id);
    const attempt = await server.api.createAttempt(task.id, { ...racer(writes("good")), sandbox: "workspace" });
    await server.api.request("POST", `/api/attempts/${attempt.id}/check`);
    const [checked] = await untilChecked(server, task.id, "passed");
    expect(checked?.check).toMatchObject({ output: expect.stringContaining("confined"), executionId: null });
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(attempt.directory, "made.txt"))).toBe(true);
    // it wrote that file itself: what was checked is still there
    expect(await getCheck(server, attempt.id)).toMatchObject({ isOutdated: false });
  });

  test("[W3] a check runs on the worker that has the attempt; one that is cut off there is interrupted", async () => {
    const worker = await startRealWorker(server);
    const { project } = await newProject(server, { check: `pwd; ${check}`, checkTimeoutSeconds: 600 });
    const attempts = [writes("good"), writes("slow")].map((model) => ({ ...racer(model), host: worker.name }));
    const { task } = await race(server, project, attempts);
    const [passed, slow] = await untilChecked(server, task.id, "passed", "running");
    expect(passed?.check).toMatchObject({ output: expect.stringContaining(worker.home) });
    await worker.kill();
    await untilChecked(server, task.id, "passed", "interrupted");
    await worker.start();
    await worker.connected();
    await server.api.request("POST", `/api/attempts/${slow?.id}/check`);
    await untilChecked(server, task.id, "passed", "running");
    await server.api.request("POST", `/api/attempts/${slow?.id}/check/stop`);
    await untilChecked(server, task.id, "passed", "stopped");
    expect(findExecutionProcesses({ executionId: `check-${slow?.id}` })).toEqual([]);
  });

  test("[Q5] kill -9 of the server during a check: it is recorded as interrupted, nothing of it runs on, and it can be run again", async () => {
    const { project } = await newProject(server);
    const { task, attempts } = await race(server, project, [racer(writes("slow")), racer(writes("good"))]);
    const [slow] = attempts as [Attempt, Attempt];
    await untilChecked(server, task.id, "running", "passed");
    await server.kill();
    expect(findExecutionProcesses({ executionId: `check-${slow.id}` }).length).toBeGreaterThan(0);
    await server.start();
    const [interrupted] = await untilChecked(server, task.id, "interrupted", "passed");
    expect(interrupted?.check).toMatchObject({ exitCode: null });
    await until(
      async () => findExecutionProcesses({ executionId: `check-${slow.id}` }),
      (left) => left.length === 0,
    );
    expect(await listInbox(server, task.id)).toMatchObject([{ race: { passed: 1, total: 2 } }]);
    writeFileSync(join(slow.directory, "result.txt"), "good\n");
    await server.api.request("POST", `/api/attempts/${slow.id}/check`);
    await untilChecked(server, task.id, "passed", "passed");
  });
});

/** A git in PATH that kills the process that calls it, at one call. */
function newKiller() {
  const folder = newFolder("killer");
  const order = join(folder, "order");
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh
[ -f "${order}" ] || exec ${real} "$@"
left=$(( $(cat "${order}") - 1 )); echo $left > "${order}"
[ "$left" = 0 ] && rm "${order}" && kill -9 $PPID && exit 1
exec ${real} "$@"
`;
  writeFileSync(join(folder, "git"), script);
  chmodSync(join(folder, "git"), 0o755);
  return {
    environment: { PATH: `${folder}:${process.env.PATH}` },
    arm: (call: number) => writeFileSync(order, `${call}\n`),
    /** Returns whether it has killed. */
    disarm(): boolean {
      const hasKilled = !existsSync(order);
      rmSync(order, { force: true });
      return hasKilled;
    },
  };
}

test("[L4, Q5] kill -9 of the server while a race is created leaves all of it or nothing", { timeout: 600_000 }, async () => {
  const killer = newKiller();
  const server = await startRealServer({ environment: killer.environment });
  const { project, repository } = await newProject(server, {});
  const attempts = [1, 2, 3].map(() => racer(writes("good")));
  let kills = 0;
  for (let call = 3; ; call += 23) {
    killer.arm(call);
    const id = `race-${call}`;
    await race(server, project, attempts, id).catch(() => undefined);
    if (!killer.disarm()) break;
    kills++;
    await server.start();
    await vi.waitFor(
      async () => {
        const known: Attempt[] = [];
        for (const task of await server.api.request<Task[]>("GET", "/api/tasks")) known.push(...(await listAttempts(server, task.id)));
        expect(known.length % 3).toBe(0);
        const branches = git(repository, "for-each-ref", "--format=%(refname:short)", "refs/heads/skein").split("\n").filter(Boolean);
        expect(branches.toSorted()).toEqual(known.map(({ branch }) => branch).toSorted());
        const folder = join(server.home, "worktrees");
        const folders = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
        expect(folders).toHaveLength(known.length);
      },
      { timeout: 90_000, interval: 300 },
    );
    expect((await race(server, project, attempts, id)).attempts).toHaveLength(3);
  }
  expect(kills).toBeGreaterThan(1);
});
