import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attemptIdSchema } from "@skein/contracts";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { commit, git, newRepository, newWorktree, openRepository } from "../git/repository.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { treeOf, writeFolderTree } from "./folder-tree.ts";
import { runOperation } from "./git-operation.ts";
import { serveRepositories } from "./http-backend.fixture.ts";
import { landBranch } from "./land-branch.ts";
import { pushBranch } from "./push-branch.ts";
import { readGitState } from "./read-git-state.ts";
import { discardChanges, restoreSafetyRef } from "./restore-files.ts";
import { updateBranch } from "./update-branch.ts";

const attemptId = attemptIdSchema.parse("att_1");

function identify(path: string): string {
  git(path, "config", "user.name", "Ada");
  git(path, "config", "user.email", "ada@example.invalid");
  return path;
}

async function start(path: string) {
  const worktree = await newWorktree(identify(path));
  const { folder, directory, baseCommit, repository } = worktree;
  const place = { folder, attemptId, baseCommit };
  return {
    path,
    ...worktree,
    place,
    write: (name: string, content: string) => writeFileSync(join(directory, name), content),
    commit: (message = "Work") => commitFiles({ ...place, message }),
    update: (method: "rebase" | "merge") => updateBranch({ ...place, baseBranch: "main", method, now: Date.now() }),
    land: (method: "squash" | "merge" | "fast-forward" = "squash") =>
      landBranch({ ...place, repository, baseBranch: "main", method, message: "Land", now: 1 }),
    state: () => readGitState({ ...place, isolation: "worktree", baseBranch: "main", isRunning: false, landing: null }),
  };
}

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), "skein-obstacle-")));

describe("unusual repositories", () => {
  it("[G2, G4, G5] with submodules: their entries stay as they are, whether or not they are checked out", async () => {
    const inner = newRepository();
    const path = newRepository();
    git(path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib");
    commit(path, "with a submodule");
    const entry = git(path, "ls-tree", "HEAD", "lib");
    const at = await start(path);
    at.write("a.txt", "changed\n");
    expect(await at.commit()).toMatchObject({ files: 1 });
    expect(git(at.directory, "ls-tree", "HEAD", "lib")).toBe(entry);
    git(at.directory, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init");
    writeFileSync(join(at.directory, "lib/a.txt"), "in the submodule\n");
    at.write("b.txt", "b\n");
    expect(await at.commit()).toMatchObject({ files: 1 });
    writeFileSync(join(path, "theirs.txt"), "theirs\n");
    commit(path, "theirs");
    expect(await at.update("rebase")).toMatchObject({ outcome: "updated", commits: 2 });
    await at.land();
    expect(git(path, "ls-tree", "main", "lib")).toBe(entry);
    expect(git(path, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(at.directory, "lib/a.txt"), "utf8")).toBe("in the submodule\n");
  });

  it("[G2, G5] with line ends: attributes of the base are followed, other files are committed byte for byte", async () => {
    const path = newRepository();
    writeFileSync(join(path, ".gitattributes"), "*.bat text eol=crlf\n");
    writeFileSync(join(path, "run.bat"), "one\r\n");
    commit(path, "attributes");
    git(path, "config", "core.autocrlf", "true");
    const at = await start(path);
    expect(readFileSync(join(at.directory, "run.bat"), "utf8")).toBe("one\r\n");
    at.write("run.bat", "one\r\ntwo\r\n");
    at.write("plain.txt", "dos\r\n");
    await at.commit();
    const show = (name: string) => execFileSync("git", ["-C", at.directory, "cat-file", "blob", `HEAD:${name}`], { encoding: "utf8" });
    expect([show("run.bat"), show("plain.txt")]).toEqual(["one\ntwo\n", "dos\r\n"]);
    expect((await at.state()).dirty.files).toBe(0);
    await at.land();
    expect(readFileSync(join(path, "run.bat"), "utf8")).toBe("one\r\ntwo\r\n");
    expect(readFileSync(join(path, "plain.txt"), "utf8")).toBe("dos\r\n");
  });

  it("[G2, G4, G5] that are shallow: committing and landing work; an update that needs the missing history is refused", async () => {
    const origin = newRepository();
    writeFileSync(join(origin, "a.txt"), "second\n");
    commit(origin, "second");
    const path = join(newFolder(), "clone");
    git(origin, "clone", "--quiet", "--depth=1", `file://${origin}`, path);
    const at = await start(path);
    at.write("b.txt", "b\n");
    await at.commit();
    await at.land();
    expect(git(path, "log", "--format=%s").trim().split("\n")).toEqual(["Land", "second"]);
    // somebody fetched another history without the commit in common
    git(origin, "checkout", "--quiet", "--orphan", "other");
    commit(origin, "other");
    git(path, "fetch", "--quiet", "--depth=1", "origin", "other:other");
    const update = updateBranch({ ...at.place, baseBranch: "other", method: "merge", now: 1 });
    await expect(update).rejects.toMatchObject({ code: "shallow", command: expect.stringMatching(/^git -C .* fetch --unshallow$/) });
  });

  it("[G2, G4] without a commit: the first one is made, and an update is refused", async () => {
    const path = newFolder();
    git(path, "init", "--quiet", "--initial-branch=main");
    identify(path);
    const folder = await openRepository(path);
    writeFileSync(join(path, "a.txt"), "a\n");
    const place = { folder, attemptId, baseCommit: null };
    await expect(updateBranch({ ...place, baseBranch: "main", method: "rebase", now: 1 })).rejects.toMatchObject({ code: "unborn-branch" });
    expect(await commitFiles({ ...place, message: "First" })).toMatchObject({ files: 1 });
    expect([git(path, "log", "--format=%s").trim(), git(path, "status", "--porcelain")]).toEqual(["First", ""]);
  });

  it("[G2] without an identity: nothing is committed, and the command that sets one is named", async () => {
    const at = await start(newRepository());
    for (const key of ["user.name", "user.email"]) git(at.path, "config", "--unset", key);
    at.write("a.txt", "changed\n");
    vi.stubEnv("HOME", newFolder());
    vi.stubEnv("XDG_CONFIG_HOME", newFolder());
    await expect(at.commit()).rejects.toMatchObject({ code: "no-identity", command: expect.stringContaining("git config --global") });
    vi.unstubAllEnvs();
    expect(git(at.directory, "log", "--format=%s").trim()).toBe("first");
  });
});

describe("a base branch that was moved elsewhere", () => {
  it("[G4, G5] commits that were removed from it are not the attempt's: they are neither counted, nor rebased, nor landed again", async () => {
    for (const step of ["rebase", "merge", "land"] as const) {
      const path = newRepository();
      writeFileSync(join(path, "secret.txt"), "secret\n");
      commit(path, "secret");
      const at = await start(path);
      at.write("mine.txt", "mine\n");
      await at.commit("Mine");
      git(path, "reset", "--quiet", "--hard", "HEAD^");
      writeFileSync(join(path, "theirs.txt"), "theirs\n");
      commit(path, "theirs");
      expect(await at.state(), step).toMatchObject({ ahead: 1, behind: 1 });
      if (step === "land") await at.land();
      else expect(await at.update(step)).toMatchObject({ outcome: "updated" });
      const where = step === "land" ? path : at.directory;
      expect(git(where, "ls-files").trim().split("\n"), step).toEqual(["a.txt", "mine.txt", "theirs.txt"]);
      if (step === "rebase") expect(git(at.directory, "log", "--format=%s").trim().split("\n")).toEqual(["Mine", "theirs", "first"]);
    }
  });
});

describe("interference by others", () => {
  it("[Q18] a file that is changed by hand while an operation is planned stops it before anything has changed", async () => {
    const at = await start(newRepository());
    const { folder, baseCommit } = at;
    const from = await writeFolderTree(folder, baseCommit);
    at.write("a.txt", "by hand\n");
    const files = { from, to: await treeOf(folder, baseCommit ?? "") };
    const run = runOperation(folder, { kind: "restore", attemptId, baseCommit, refs: [], index: null, landing: null, files });
    await expect(run).rejects.toMatchObject({ code: "files-changed" });
    expect(readFileSync(join(at.directory, "a.txt"), "utf8")).toBe("by hand\n");
  });

  it("[G3, Q19] a worktree in which files were deleted, renamed and made folders by hand is restored from its safety ref", async () => {
    const at = await start(newRepository());
    const { directory } = at;
    at.write("b.txt", "b\n");
    execFileSync("sh", ["-c", "mv b.txt c.txt && rm a.txt && mkdir a.txt && echo x > a.txt/inner"], { cwd: directory });
    const files = ["a.txt/inner", "c.txt"].map((path) => ({ path }));
    const { safetyRef } = await discardChanges({ ...at.place, now: 1, files });
    await restoreSafetyRef({ ...at.place, now: 2, ref: safetyRef.ref });
    expect([readFileSync(join(directory, "a.txt/inner"), "utf8"), existsSync(join(directory, "c.txt"))]).toEqual(["x\n", true]);
  });

  it("[G6] a server that protects the branch refuses the push with its own words", async () => {
    const at = await start(newRepository());
    at.write("b.txt", "b\n");
    await at.commit();
    const root = newFolder();
    const remote = join(root, "remote.git");
    git(at.path, "init", "--quiet", "--bare", remote);
    git(remote, "config", "http.receivepack", "true");
    mkdirSync(join(remote, "hooks"), { recursive: true });
    writeFileSync(join(remote, "hooks/pre-receive"), "#!/bin/sh\necho 'error: GH006: Protected branch update failed.' >&2\nexit 1\n");
    chmodSync(join(remote, "hooks/pre-receive"), 0o755);
    const credential = { username: "ada", token: "s3cret" };
    const server = await serveRepositories(root, credential);
    onTestFinished(() => server.close());
    git(at.path, "remote", "add", "origin", `${server.url}/remote.git`);
    const push = pushBranch({ folder: at.folder, baseBranch: "main", credential: { ...credential, host: new URL(server.url).host } });
    await expect(push).rejects.toMatchObject({ text: { code: "push-declined", said: "GH006: Protected branch update failed." } });
    expect((await at.state()).remote?.pushed).toBeNull();
  });
});
