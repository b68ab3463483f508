import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attemptIdSchema } from "@skein/contracts";
import { describe, expect, it, onTestFinished } from "vitest";
import { commit, git, newRepository, newWorktree } from "../git/repository.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { serveRepositories } from "./http-backend.fixture.ts";
import { pushBranch } from "./push-branch.ts";
import { hideCredentials } from "./remotes.ts";
import { updateBranch } from "./update-branch.ts";

const attemptId = attemptIdSchema.parse("att_1");
const credential = { username: "ada", token: "s3cret" };

async function start() {
  const path = newRepository();
  git(path, "config", "user.name", "Ada");
  git(path, "config", "user.email", "ada@example.invalid");
  const root = realpathSync(mkdtempSync(join(tmpdir(), "skein-remote-")));
  git(root, "init", "--quiet", "--bare", "remote.git");
  git(join(root, "remote.git"), "config", "http.receivepack", "true");
  const { folder, directory, baseCommit, branch } = await newWorktree(path);
  writeFileSync(join(directory, "a.txt"), "mine\n");
  await commitFiles({ folder, attemptId, baseCommit, message: "Mine" });
  const remoteHead = () => git(join(root, "remote.git"), "log", "-1", "--format=%s", branch).trim();
  return { path, root, folder, directory, baseCommit, branch, remoteHead, push: { folder, baseBranch: "main" } };
}

describe("push", () => {
  it("[G6] to a repository on this machine; again after a rebase; not over somebody else's commits", async () => {
    const { path, root, folder, directory, baseCommit, branch, remoteHead, push } = await start();
    await expect(pushBranch(push)).rejects.toMatchObject({ code: "no-remote" });
    git(path, "remote", "add", "origin", join(root, "remote.git"));
    expect(await pushBranch(push)).toMatchObject({ remote: "origin", branch, newPullRequestUrl: null });
    expect(remoteHead()).toBe("Mine");

    writeFileSync(join(path, "theirs.txt"), "theirs\n");
    commit(path, "Theirs");
    await updateBranch({ folder, attemptId, baseCommit, baseBranch: "main", method: "rebase", now: 1 });
    await pushBranch(push);
    expect(git(join(root, "remote.git"), "log", "--format=%s", branch).trim().split("\n")).toEqual(["Mine", "Theirs", "first"]);

    const clone = join(root, "clone");
    git(root, "clone", "--quiet", "--branch", branch, "remote.git", "clone");
    writeFileSync(join(clone, "b.txt"), "somebody\n");
    commit(clone, "Somebody");
    git(clone, "push", "--quiet", "origin", branch);
    writeFileSync(join(directory, "c.txt"), "more\n");
    await commitFiles({ folder, attemptId, baseCommit, message: "More" });
    await expect(pushBranch(push)).rejects.toMatchObject({ code: "push-rejected" });
    expect(remoteHead()).toBe("Somebody");
  });

  it("[G6] over HTTP with a credential that no file, argument or message contains; without one, the fix is reported", async () => {
    const { path, root, remoteHead, push } = await start();
    const server = await serveRepositories(root, credential);
    onTestFinished(() => server.close());
    git(path, "remote", "add", "origin", `${server.url}/remote.git`);
    const refused = await pushBranch(push).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "no-credential" });
    const wrong = await pushBranch({ ...push, credential: { username: "ada", token: "wr0ng" } }).catch((error: Error) => error);
    expect(wrong).toMatchObject({ code: "no-credential" });
    expect(String(wrong)).not.toContain("wr0ng");
    await pushBranch({ ...push, credential });
    expect(remoteHead()).toBe("Mine");
    expect(git(path, "config", "--list")).not.toContain("s3cret");
  });

  it("[G6] ssh without a key, an unreachable host and a missing repository are explained", async () => {
    const { path, root, push } = await start();
    git(path, "remote", "add", "origin", "ssh://git@127.0.0.1:1/o/r.git");
    await expect(pushBranch(push)).rejects.toMatchObject({ code: expect.stringMatching(/^(no-network|no-ssh)$/) });
    // the user's own settings, with an ssh that has no key that the server accepts
    const home = realpathSync(mkdtempSync(join(tmpdir(), "skein-home-")));
    writeFileSync(join(home, "ssh"), "#!/bin/sh\necho 'git@127.0.0.1: Permission denied (publickey).' >&2\nexit 255\n", { mode: 0o755 });
    writeFileSync(join(home, ".gitconfig"), `[core]\n\tsshCommand = ${join(home, "ssh")}\n`);
    const { HOME } = process.env;
    process.env.HOME = home;
    onTestFinished(() => {
      process.env.HOME = HOME;
    });
    await expect(pushBranch(push)).rejects.toMatchObject({
      code: "ssh-refused",
      message: "127.0.0.1 does not accept your ssh key. Try it in a terminal: ssh -T git@127.0.0.1",
    });
    git(path, "remote", "set-url", "origin", "http://127.0.0.1:1/o/r.git");
    await expect(pushBranch(push)).rejects.toMatchObject({ code: "no-network" });
    git(path, "remote", "set-url", "origin", join(root, "missing.git"));
    await expect(pushBranch(push)).rejects.toMatchObject({ code: "remote-gone" });
  });

  it("[G6, X9] a remote that names a program is rejected; hooks do not run", async () => {
    const { path, root, push, remoteHead } = await start();
    git(path, "remote", "add", "origin", `ext::touch ${root}/canary`);
    await expect(pushBranch(push)).rejects.toMatchObject({ code: "no-remote" });
    git(path, "remote", "set-url", "origin", join(root, "remote.git"));
    writeFileSync(join(path, ".git/hooks/pre-push"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await pushBranch(push);
    expect(remoteHead()).toBe("Mine");
  });
});

it("hideCredentials removes user and password", () => {
  expect(hideCredentials("https://user:pw@host/x")).toBe("https://host/x");
});
