import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../scripts/setup/postgres.mjs";
import { startRealServer } from "./support/real-server.ts";
import { listWorkers, startRealWorker } from "./support/real-worker.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

/** A server for repositories that anyone may read, as a process of its own. */
async function startGitServer(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await findFreePort();
  const program = join(git(folder, "--exec-path").trim(), "git-daemon");
  const child: ChildProcess = spawn(program, [`--base-path=${folder}`, "--export-all", `--port=${port}`, "--listen=127.0.0.1"], {
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill();
    await exited;
  };
  onTestFinished(stop);
  await expect.poll(() => canConnect(port), { timeout: 30_000 }).toBe(true);
  return { url: `git://127.0.0.1:${port}`, stop };
}

test("[W3] a worker fetches from the project's remote if its owners want that; the server sends what is missing there, and all if it fails", {
  timeout: 240_000,
}, async () => {
  const repository = newRepository();
  const remotes = newFolder("remotes");
  git(remotes, "clone", "--quiet", "--bare", repository, "atlas.git");
  const gitServer = await startGitServer(remotes);
  git(repository, "remote", "add", "origin", `${gitServer.url}/atlas.git`);

  const server = await startRealServer();
  const worker = await startRealWorker(server);
  const { api } = server;
  const project = await api.createProject(repository);
  const copy = join(worker.home, "repositories", project.id);
  const log = () => readFileSync(join(server.home, "logs", "server.log"), "utf8");
  const newAttempt = async () => {
    const task = await api.createTask(project.id, "Work");
    return api.createAttempt(task.id, { model: newScriptedModel([{ text: "Done." }]), host: worker.name });
  };
  const commit = (message: string): string => {
    git(repository, "commit", "--quiet", "--allow-empty", "--message", message);
    return git(repository, "rev-parse", "HEAD").trim();
  };
  const headOf = ({ directory }: { directory: string }) => git(directory, "rev-parse", "HEAD").trim();
  const fetched = () => git(copy, "for-each-ref", "--format=%(refname)", "refs/skein/fetched/").trim();

  await api.request("PATCH", `/api/projects/${project.id}`, { workersFetch: true });
  const first = await newAttempt();
  expect(headOf(first)).toBe(git(repository, "rev-parse", "HEAD").trim());
  expect(fetched()).toBe("refs/skein/fetched/main");
  expect(log()).toContain("a worker fetched from the remote of a project");
  expect(log()).not.toContain("objects were carried to another machine");

  // the remote does not have it yet
  const local = commit("not pushed");
  expect(headOf(await newAttempt())).toBe(local);
  expect(log()).toContain("objects were carried to another machine");
  expect(git(copy, "rev-parse", "refs/skein/fetched/main").trim()).not.toBe(local);
  expect((await listWorkers(server))[0]).toMatchObject({ fetches: [], isOtherVersion: false });

  await gitServer.stop();
  const offline = commit("offline");
  expect(headOf(await newAttempt())).toBe(offline);
  expect((await listWorkers(server))[0]?.fetches).toEqual([
    { projectId: project.id, state: "failed", text: expect.stringMatching(/refused|unable to connect/i) },
  ]);
  await api.request("PATCH", `/api/projects/${project.id}`, { workersFetch: false });
  const known = log().split("a worker fetched").length;
  expect(headOf(await newAttempt())).toBe(offline);
  const last = commit("by the server alone");
  expect(headOf(await newAttempt())).toBe(last);
  expect(log().split("a worker fetched")).toHaveLength(known);
});
