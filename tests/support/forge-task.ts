import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GitState, PullRequest } from "@skein/contracts";
import { type ForgeServer, startForgeServer } from "@skein/testkit/forge-servers";
import { expect, onTestFinished } from "vitest";
import { type RealServer, startRealServer } from "./real-server.ts";
import { git, newFolder, newRepository } from "./repository.ts";
import { bash, newScriptedModel } from "./scripts.ts";

/** What the scripted agent of `newForgeTask` does, message by message. */
const scripts = [
  [{ toolCalls: [bash("printf 'one\\ntwo\\n' > work.txt")] }, { text: "I wrote `work.txt`." }],
  [{ toolCalls: [bash("printf 'one\\n2\\n' > work.txt")] }, { text: "Fixed the number." }],
];

/** A forge on this machine, until the test ends. */
export async function newForge(kind: ForgeServer["kind"] = "github", options: { keep?: true } = {}): Promise<ForgeServer> {
  const forge = await startForgeServer({ kind, root: newFolder("forge") });
  if (!options.keep) onTestFinished(() => forge.close());
  return forge;
}

/** A server that knows the forge, and asks it every second. */
export async function startForgeReadyServer(
  forge: ForgeServer,
  { settings = {}, ...options }: { keep?: true; environment?: Record<string, string>; settings?: object } = {},
): Promise<RealServer> {
  const home = newFolder("home");
  const config = { forges: { [forge.host]: { kind: forge.kind, token: forge.token } }, pullRequestPollSeconds: 1, ...settings };
  writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  return startRealServer({ home, ...options });
}

/** A task in a repository whose `origin` is the forge, with one committed change of the scripted agent. */
export async function newForgeTask(server: RealServer, forge: ForgeServer, options: { title?: string; commit?: boolean } = {}) {
  const { api } = server;
  const { title = "Add work", commit = true } = options;
  const repository = newRepository("atlas");
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.invalid");
  git(repository, "remote", "add", "origin", forge.remoteUrl);
  // a test that is repeated has branches of the same names
  for (const ref of forge.world.git("for-each-ref", "--format=%(refname)", "refs/heads/skein/").split("\n").filter(Boolean)) {
    forge.world.git("update-ref", "-d", ref);
  }
  git(repository, "push", "--quiet", "--force", join(forge.world.root, `${forge.world.path}.git`), "main");
  const task = await api.createTask((await api.createProject(repository)).id, title);
  const attempt = await api.createAttempt(task.id, { model: newScriptedModel(scripts[0] ?? []), permissionMode: "full" });
  const path = `/api/attempts/${attempt.id}`;
  const ended = (count: number) =>
    expect
      .poll(async () => (await api.executions(attempt.id)).map(({ status }) => status), { timeout: 60_000 })
      .toEqual(Array.from({ length: count }, () => "success"));
  await api.send(task.id, "Work");
  await ended(1);
  // the next message is answered by the next script
  await api.request("PATCH", path, { model: newScriptedModel(scripts[1] ?? []) });
  const post = <T>(part: string, body: unknown = {}) => api.request<T>("POST", `${path}/${part}`, body);
  if (commit) await post("commit", { message: title });
  return {
    ...{ repository, task, attempt, ended, post, directory: attempt.directory },
    get: <T>(part: string) => api.request<T>("GET", `${path}/${part}`),
    state: () => api.request<GitState>("GET", `${path}/git`),
    pullRequest: async (): Promise<PullRequest | null> => (await api.request<GitState>("GET", `${path}/git`)).pullRequest,
    lastMessage: async () =>
      JSON.stringify((await api.messages(attempt.id)).filter(({ body }) => body.role === "user").at(-1)?.body.content),
  };
}
