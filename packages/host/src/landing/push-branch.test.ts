import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attemptIdSchema } from "@skein/contracts";
import { runHttpBackend } from "@skein/testkit/forge-servers";
import { describe, expect, it, onTestFinished } from "vitest";
import { commit, git, newRepository, newWorktree } from "../git/repository.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { serveRepositories } from "./http-backend.fixture.ts";
import { pushBranch, toCredentialOrigin } from "./push-branch.ts";
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
    const { host } = new URL(server.url);
    const wrong = await pushBranch({ ...push, credential: { username: "ada", token: "wr0ng", host } }).catch((error: Error) => error);
    expect(wrong).toMatchObject({ code: "no-credential" });
    expect(String(wrong)).not.toContain("wr0ng");
    await pushBranch({ ...push, credential: { ...credential, host } });
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

  it("[X9] to a repository on this machine runs no hook, filter or other program of that repository", async () => {
    const { path, root, push, branch, remoteHead } = await start();
    const remote = join(root, "remote.git");
    const program = join(root, "program");
    writeFileSync(program, `#!/bin/sh\necho "$0" >> ${root}/canary\n`, { mode: 0o755 });
    const hooks = ["pre-receive", "update", "post-receive", "post-update", "reference-transaction", "push-to-checkout", "proc-receive"];
    mkdirSync(join(remote, "hooks"), { recursive: true });
    for (const name of hooks) symlinkSync(program, join(remote, "hooks", name));
    for (const key of ["core.fsmonitor", "core.alternateRefsCommand", "hook.evil.command"]) git(remote, "config", key, program);
    for (const event of ["pre-receive", "post-receive"]) git(remote, "config", "--add", "hook.evil.event", event);
    for (const url of [remote, `file://${remote}`]) {
      git(path, "config", "remote.origin.url", url);
      await pushBranch(push);
      expect([remoteHead(), existsSync(join(root, "canary"))], url).toEqual(["Mine", false]);
      git(remote, "update-ref", "-d", `refs/heads/${branch}`);
      git(path, "update-ref", "-d", `refs/remotes/origin/${branch}`);
      rmSync(join(root, "canary"), { force: true });
    }
    // a checkout would be written, with the filters of its settings
    const checkout = join(root, "checkout");
    git(root, "init", "--quiet", "--initial-branch", branch, checkout);
    git(checkout, "config", "receive.denyCurrentBranch", "updateInstead");
    git(checkout, "config", "filter.evil.smudge", program);
    writeFileSync(join(checkout, ".git/info/attributes"), "* filter=evil\n");
    git(path, "config", "remote.origin.url", checkout);
    await expect(pushBranch(push)).rejects.toMatchObject({ code: expect.stringMatching(/^push-/) });
    expect(existsSync(join(root, "canary"))).toBe(false);
  });

  it("[X11] a token goes only to the host that it belongs to: not to another remote, not after a redirect, not without TLS", async () => {
    const { path, root, push, branch } = await start();
    const own = await serveRepositories(root, credential);
    onTestFinished(() => own.close());
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      runHttpBackend({ root, user: "anybody", request, response });
    });
    const redirecting = createServer((request, response) => {
      response.writeHead(302, { location: `${addressOf(other)}${request.url}` }).end();
    });
    for (const server of [other, redirecting]) {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
    }
    // somebody has changed the remote since the credential was chosen
    git(path, "remote", "add", "origin", `${addressOf(other)}/remote.git`);
    await pushBranch({ ...push, credential: { ...credential, host: new URL(own.url).host } });
    git(join(root, "remote.git"), "update-ref", "-d", `refs/heads/${branch}`);
    git(path, "update-ref", "-d", `refs/remotes/origin/${branch}`);
    git(path, "remote", "set-url", "origin", `${addressOf(redirecting)}/remote.git`);
    await pushBranch({ ...push, credential: { ...credential, host: new URL(addressOf(redirecting)).host } });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.filter((header) => header !== undefined)).toEqual([]);
    expect(toCredentialOrigin("http://git.example.com/o/r.git", "git.example.com")).toBeUndefined();
    expect(toCredentialOrigin("https://git.example.com@evil.example/o/r.git", "git.example.com")).toBeUndefined();
    expect(toCredentialOrigin("https://git.example.com/o/r.git", "git.example.com")).toBe("https://git.example.com");
  });
});

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("hideCredentials removes user and password", () => {
  expect(hideCredentials("https://user:pw@host/x")).toBe("https://host/x");
});
