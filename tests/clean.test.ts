import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, AttemptDiff, AttemptUse, CleanPlan, CleanRun, Task } from "@skein/contracts";
import { expect, onTestFinished, test } from "vitest";
import { executionMarker } from "../packages/host/src/runner/execution-marker.ts";
import { isProcessAlive } from "../packages/host/src/runner/process-tree.ts";
import { startRealServer } from "./support/real-server.ts";
import { listWorkers, startRealWorker } from "./support/real-worker.ts";
import { git, newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

const model = newScriptedModel([{ text: "Done." }, { text: "Done again." }]);
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

async function start() {
  const server = await startRealServer();
  const repository = newRepository();
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.invalid");
  const project = await server.api.createProject(repository);
  const request = <T>(method: string, path: string, body?: unknown) => server.api.request<T>(method, path, body);

  /** An attempt whose agent has answered, with a file of its own, in a task that is done. */
  async function newAttempt(title: string, { host, file = true }: { host?: string; file?: boolean } = {}) {
    const task = await server.api.createTask(project.id, title);
    const attempt = await server.api.createAttempt(task.id, { model, ...(host === undefined ? {} : { host }) });
    await server.api.send(task.id, "go");
    await poll(async () => (await server.api.executions(attempt.id))[0]?.status).toBe("success");
    const [execution] = await server.api.executions(attempt.id);
    // its files are recorded after its end
    await request("GET", `/api/executions/${execution?.id}/diff`);
    if (file) writeFileSync(join(attempt.directory, `${attempt.number}-${task.id}.txt`), "work\n");
    return { task, attempt, executionId: execution?.id ?? "" };
  }
  const commit = ({ id }: Attempt) => request("POST", `/api/attempts/${id}/commit`, { message: "Work" });
  const done = ({ id }: Task) => request("PATCH", `/api/tasks/${id}`, { status: "done" });
  const plan = () => request<CleanPlan>("GET", "/api/clean?olderThanDays=0");
  const remove = (ids: readonly string[]) => request<CleanRun>("POST", "/api/clean", { ids, olderThanDays: 0 });
  const readRun = async () => (await request<{ run: CleanRun | null }>("GET", "/api/clean/run")).run;
  async function removeAndWait(ids: readonly string[]): Promise<CleanRun> {
    await remove(ids);
    await poll(async () => (await readRun())?.endedAt).toEqual(expect.any(Number));
    return (await readRun()) as CleanRun;
  }
  return { server, repository, request, newAttempt, commit, done, plan, remove, removeAndWait };
}

const trashOf = (home: string): string[] => {
  const trash = join(home, "worktrees/.trash");
  return existsSync(trash) ? readdirSync(trash) : [];
};

test("[L8] a clean-up removes what is merged, keeps all other work, survives a kill, and what it removed comes back with the next message", {
  timeout: 240_000,
}, async () => {
  const { server, repository, request, newAttempt, commit, done, plan, remove, removeAndWait } = await start();
  const landed = await newAttempt("Landed");
  await commit(landed.attempt);
  await request("POST", `/api/attempts/${landed.attempt.id}/land`, { method: "squash" });
  const [untouched, dirty, unmerged, open] = [
    await newAttempt("Untouched", { file: false }),
    await newAttempt("Uncommitted"),
    await newAttempt("Unmerged"),
    await newAttempt("Not done", { file: false }),
  ];
  await commit(unmerged.attempt);
  for (const { task } of [untouched, dirty, unmerged]) await done(task);

  const { items, kept } = await plan();
  const ofKind = (kind: string) => items.filter((item) => item.kind === kind).map(({ taskTitle }) => taskTitle);
  expect([ofKind("worktree").toSorted(), ofKind("process")]).toEqual([["Landed", "Untouched"], []]);
  expect(ofKind("execution-log").toSorted()).toEqual(["Landed", "Uncommitted", "Unmerged", "Untouched"]);
  expect(items.find(({ id }) => id === `worktree:${landed.attempt.id}`)).toMatchObject({
    ...{ because: "landed", branch: landed.attempt.branch, bytes: expect.any(Number) },
  });
  expect(kept.map(({ taskTitle, why }) => [taskTitle, why]).toSorted()).toEqual([
    ["Uncommitted", { code: "uncommitted", files: 1 }],
    ["Unmerged", { code: "unmerged", commits: 1 }],
  ]);
  const { attempts } = await request<AttemptUse>("GET", "/api/storage/attempts");
  expect(attempts.map(({ taskTitle }) => taskTitle)).toContain("Not done");
  expect(attempts[0]).toMatchObject({ worktree: expect.any(Number), executionLogs: expect.any(Number), sandboxHome: 0 });

  // killed in the middle, wherever that is, and repeated: also what the plan does not have
  const ids = [
    ...items.map(({ id }) => id),
    `worktree:${dirty.attempt.id}`,
    `worktree:${unmerged.attempt.id}`,
    `worktree:${open.attempt.id}`,
  ];
  await remove(ids);
  await server.kill();
  await server.start();
  const { results } = await removeAndWait(ids);
  const reasons = results.flatMap((result) => (result.outcome === "kept" ? [[result.id, result.why.code]] : []));
  expect(reasons).toEqual(
    expect.arrayContaining([
      [`worktree:${dirty.attempt.id}`, "uncommitted"],
      [`worktree:${unmerged.attempt.id}`, "unmerged"],
      [`worktree:${open.attempt.id}`, "changed"],
    ]),
  );
  expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  expect((await plan()).items).toEqual([]);
  const isThere = [landed, untouched, dirty, unmerged, open].map(({ attempt }) => existsSync(attempt.directory));
  expect(isThere).toEqual([false, false, true, true, true]);
  await poll(() => trashOf(server.home)).toEqual([]);
  // git knows exactly the worktrees that there are, and every branch
  expect(git(repository, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(4);
  const branches = git(repository, "for-each-ref", "--format=%(refname:short)", "refs/heads");
  for (const { attempt } of [landed, untouched, dirty, unmerged, open]) expect(branches).toContain(attempt.branch);
  expect(readdirSync(join(server.home, "executions"))).toEqual([open.executionId]);

  // the conversation, the diff of the execution and the git bar need neither folder nor log
  expect((await server.api.conversation(landed.task.id)).messages.length).toBeGreaterThan(0);
  await request<AttemptDiff>("GET", `/api/executions/${landed.executionId}/diff`);
  const { files } = await request<AttemptDiff>("GET", `/api/attempts/${landed.attempt.id}/diff`);
  expect(files.map(({ filePath }) => filePath)).toEqual([`1-${landed.task.id}.txt`]);
  expect(await request("GET", `/api/attempts/${landed.attempt.id}/diff-stat`)).toMatchObject({ files: 1, additions: 1 });
  expect(await request("GET", `/api/attempts/${landed.attempt.id}/git`)).toMatchObject({ ahead: 0, dirty: { files: 0 } });
  // what changes it restores it first
  await request("POST", `/api/attempts/${untouched.attempt.id}/update`, { method: "rebase" });
  expect(existsSync(untouched.attempt.directory)).toBe(true);

  // the next message brings the folder back
  await server.api.send(landed.task.id, "go on");
  await poll(async () => (await server.api.executions(landed.attempt.id)).map(({ status }) => status)).toEqual(["success", "success"]);
  const restored = readdirSync(landed.attempt.directory).filter((name) => name.endsWith(".txt"));
  expect(restored).toContain(`1-${landed.task.id}.txt`);
  expect(readFileSync(join(dirty.attempt.directory, `1-${dirty.task.id}.txt`), "utf8")).toBe("work\n");
});

test("[L8] processes that an execution left are found by their marks and ended; on a worker, too, with its worktrees and logs", {
  timeout: 240_000,
}, async () => {
  const { server, newAttempt, done, plan, removeAndWait } = await start();
  const worker = await startRealWorker(server, { name: "one" });
  const local = await newAttempt("Local", { file: false });
  const remote = await newAttempt("Remote", { file: false, host: "one" });
  for (const { task } of [local, remote]) await done(task);
  const leave = (executionId?: string) => {
    const marks = executionId === undefined ? {} : { [executionMarker]: executionId };
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore", env: { PATH: process.env.PATH, ...marks } });
    onTestFinished(() => void child.kill("SIGKILL"));
    return { pid: child.pid ?? 0, isAlive: () => child.exitCode === null && child.signalCode === null && isProcessAlive(child.pid ?? 0) };
  };
  const [leaked, leakedThere, bystander] = [leave(local.executionId), leave(remote.executionId), leave()];
  // an execution that has just ended may still be ending what it started
  await poll(async () => (await plan()).items.filter(({ kind }) => kind === "process").length).toBe(2);
  const { items } = await plan();
  expect(items.filter(({ kind }) => kind === "process")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ executionId: local.executionId, processes: [{ pid: leaked.pid, name: "sleep" }] }),
      expect.objectContaining({ executionId: remote.executionId, processes: [{ pid: leakedThere.pid, name: "sleep" }], hostId: worker.id }),
    ]),
  );
  const { results } = await removeAndWait(items.map(({ id }) => id));
  expect(results.map(({ outcome }) => outcome)).toEqual(items.map(() => "removed"));
  await poll(() => [leaked.isAlive(), leakedThere.isAlive(), bystander.isAlive()]).toEqual([false, false, true]);
  expect([existsSync(local.attempt.directory), existsSync(remote.attempt.directory)]).toEqual([false, false]);
  // a log of an execution with processes is kept until they are gone
  const { items: rest } = await plan();
  await removeAndWait(rest.map(({ id }) => id));
  expect([readdirSync(join(server.home, "executions")), readdirSync(join(worker.home, "executions"))]).toEqual([[], []]);

  // what a worker has is kept while it is not connected
  const later = await newAttempt("Later", { file: false, host: "one" });
  await done(later.task);
  await worker.stop();
  await poll(async () => (await listWorkers(server))[0]?.state).not.toBe("online");
  const { kept } = await plan();
  // nobody knows what it has
  expect(kept.map(({ taskTitle, why }) => [taskTitle, why.code]).toSorted()).toEqual([
    ["Later", "unreachable"],
    ["Remote", "unreachable"],
  ]);
  expect(existsSync(later.attempt.directory)).toBe(true);
});
