import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AttemptDiff, GitLfs, ProjectScripts } from "@skein/contracts";
import { expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { startLfsServer, toLfsPointer, toOid } from "./support/lfs-server.ts";
import { startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const content = "the real content of a large file\n";
const pointer = toLfsPointer(content);
const nothing = () => newScriptedModel([{ text: "Done." }]);

/** The user's git settings as an installed Git LFS writes them: it must not start by itself. */
function newHome(): { home: string; canary: string } {
  const canary = join(newFolder("canary"), "ran");
  const home = newFolder("home");
  writeFileSync(join(home, ".gitconfig"), `[filter "lfs"]\n\tsmudge = touch ${canary}\n\tclean = touch ${canary}\n\trequired = true\n`);
  return { home, canary };
}

/** Commits files as they are: no filter of this machine converts them. */
function newLfsRepository(files: Record<string, string>): string {
  const repository = newRepository();
  const all = { ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
    const id = git(repository, "hash-object", "-w", "--no-filters", path).trim();
    git(repository, "update-index", "--add", "--cacheinfo", `100644,${id},${path}`);
  }
  git(repository, "commit", "--quiet", "--message", "files");
  return repository;
}

function objectPath(repository: string, oid: string): string {
  const path = join(repository, ".git/lfs/objects", oid.slice(0, 2), oid.slice(2, 4), oid);
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

async function openProject(home: string, repository: string, environment: Record<string, string> = {}) {
  const { api } = await startRealServer({ home, environment });
  const project = await api.createProject(repository);
  const stream = await openEventStream(api);
  const send = async (taskId: string) => {
    const { executionId } = await api.send(taskId, "go");
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    return JSON.stringify((await api.conversation(taskId)).messages.filter(({ metadata }) => metadata?.executionId === executionId));
  };
  const work = async (model: string) => {
    const task = await api.createTask(project.id);
    const attempt = await api.createAttempt(task.id, { model });
    const said = await send(task.id);
    const read = (path: string) => readFileSync(join(attempt.directory, path), "utf8");
    const listChanged = async () =>
      (await api.request<AttemptDiff>("GET", `/api/attempts/${attempt.id}/diff`)).files.map(({ filePath }) => filePath);
    return { attempt, said, read, listChanged, sendAgain: () => send(task.id) };
  };
  const lfsPath = `/api/projects/${project.id}/git-lfs`;
  const trust = async () => {
    const { hash } = await api.request<GitLfs>("GET", lfsPath);
    await api.request("POST", `${lfsPath}/trust`, { hash });
  };
  return { api, project, work, lfsPath, trust, close: () => stream.close() };
}

test("[X9] Git LFS files are copied from the repository's own store, and nothing is executed", async () => {
  const { home, canary } = newHome();
  const forged = "what the commit stands for\n";
  const waiting = "behind a pipe\n";
  const repository = newLfsRepository({
    "large.bin": pointer,
    "deep/er/large.bin": pointer,
    "forged.bin": toLfsPointer(forged),
    "pipe.bin": toLfsPointer(waiting),
    // not stored by LFS, though it looks like it
    "example.txt": pointer,
  });
  writeFileSync(objectPath(repository, toOid(content)), content);
  writeFileSync(objectPath(repository, toOid(forged)), forged.replace("stands", "STANDS"));
  execFileSync("mkfifo", [objectPath(repository, toOid(waiting))]);
  const { work, close } = await openProject(home, repository);

  const one = await work(nothing());
  expect(["large.bin", "deep/er/large.bin"].map(one.read)).toEqual([content, content]);
  expect(["forged.bin", "pipe.bin", "example.txt"].map(one.read)).toEqual([toLfsPointer(forged), toLfsPointer(waiting), pointer]);
  expect(statSync(join(one.attempt.directory, "large.bin")).mode & 0o777).toBe(0o644);
  expect(one.said).toContain("2 Git LFS files missing in this worktree, with pointers in their place");
  expect(await one.listChanged()).toEqual([]);

  const edited = await work(newScriptedModel([{ toolCalls: [bash("echo more >> large.bin")] }, { text: "Done." }]));
  expect(await edited.listChanged()).toEqual(["large.bin"]);
  expect(existsSync(canary)).toBe(false);
  close();
});

test("[X8, X9] missing files stay pointers until a trusted setup script gets them, and the diff compares their content", async () => {
  const { home, canary } = newHome();
  // in place of `git lfs pull`
  const setup = JSON.stringify({ setup: `printf '%s\\n' '${content.trim()}' > large.bin` });
  const repository = newLfsRepository({ "large.bin": pointer, ".skein/project.json": setup });
  const { api, project, work, close } = await openProject(home, repository);

  const untrusted = await work(nothing());
  expect([untrusted.read("large.bin"), await untrusted.listChanged()]).toEqual([pointer, []]);
  expect(untrusted.said).toContain("Git LFS");

  const { hash } = await api.request<ProjectScripts>("GET", `/api/projects/${project.id}/scripts`);
  await api.request("POST", `/api/projects/${project.id}/scripts/trust`, { hash });
  const trusted = await work(nothing());
  expect([trusted.read("large.bin"), await trusted.listChanged()]).toEqual([content, []]);
  expect(trusted.said).not.toContain("Git LFS");
  expect(existsSync(canary)).toBe(false);
  close();
});

/** A fake git-lfs: records how it was started, and downloads from a file. */
function newLfsProgram(report: string, object: string): string {
  const folder = newFolder("bin");
  const program = join(folder, "git-lfs");
  const script = [
    `{ echo "args $*"; git config --list; ls -A | sed "s/^/file /"; cat .lfsconfig "$(git rev-parse --show-toplevel 2>/dev/null)/.lfsconfig"; } > '${report}' 2>/dev/null`,
    `store="$(git config lfs.storage)/objects/${toOid(content).slice(0, 2)}/${toOid(content).slice(2, 4)}"`,
    `mkdir -p "$store" && cp '${object}' "$store/${toOid(content)}"`,
  ];
  writeFileSync(program, `#!/bin/sh\n${script.join("\n")}\n`);
  chmodSync(program, 0o755);
  return folder;
}

test("[X8, X9] only trusted downloads run: with the user's own git-lfs, from the server that was shown, without the repository's settings", async () => {
  const { home, canary } = newHome();
  const evil = join(newFolder("evil"), "program");
  writeFileSync(evil, `#!/bin/sh\ntouch '${canary}'\n`);
  chmodSync(evil, 0o755);
  const included = `${evil}.config`;
  writeFileSync(included, '[remote "origin"]\n\turl = https://evil.example/included.git\n');
  const report = join(newFolder("report"), "report");
  const object = join(newFolder("object"), "object");
  writeFileSync(object, content);
  const repository = newLfsRepository({
    "large.bin": pointer,
    // an agent, or a branch, may name another server here
    ".lfsconfig": "[lfs]\n\tfetchexclude = *\n[core]\n\tsshCommand = evil\n",
  });
  git(repository, "remote", "add", "origin", "https://someone:secret@git.example/app.git");
  writeFileSync(
    join(repository, ".git/config"),
    `${readFileSync(join(repository, ".git/config"), "utf8")}[lfs]\n\tstandaloneTransferAgent = evil\n[lfs "customTransfer.evil"]\n\tpath = ${evil}\n[credential]\n\thelper = ${evil}\n[core]\n\tsshCommand = ${evil}\n[include]\n\tpath = ${included}\n`,
  );
  const path = `${newLfsProgram(report, object)}:${process.env.PATH}`;
  const { api, work, lfsPath, trust, close } = await openProject(home, repository, { PATH: path });

  expect(await api.request<GitLfs>("GET", lfsPath)).toMatchObject({
    ...{ isUsed: true, trust: "none", url: "https://someone:***@git.example/app.git" },
    program: expect.stringMatching(/\/git-lfs$/),
  });
  const before = await work(nothing());
  expect([before.read("large.bin"), existsSync(report)]).toEqual([pointer, false]);
  expect(before.said).toContain("trust Git LFS in the project's settings");

  await trust();
  await before.sendAgain();
  expect([before.read("large.bin"), await before.listChanged()]).toEqual([content, []]);
  const seen = readFileSync(report, "utf8");
  expect(seen).toContain(`args fetch origin ${git(repository, "rev-parse", "HEAD").trim()}`);
  expect(seen).toContain("remote.origin.url=https://someone:secret@git.example/app.git");
  expect(seen).not.toMatch(/evil|fetchexclude|^file /im);

  // an agent that names another server in the repository's settings gets nothing from there
  git(repository, "remote", "set-url", "origin", "https://evil.example/app.git");
  writeFileSync(objectPath(repository, toOid(content)), "");
  writeFileSync(report, "");
  const moved = await work(nothing());
  expect([moved.read("large.bin"), readFileSync(report, "utf8")]).toEqual([pointer, ""]);
  expect(moved.said).toContain("https://evil.example/app.git");
  expect(await api.request<GitLfs>("GET", lfsPath)).toMatchObject({ trust: "changed" });
  for (const url of ["ext::sh -c evil", "ssh://-oProxyCommand=evil/x", "file:///etc", "-oProxyCommand=evil:x"]) {
    git(repository, "config", "remote.origin.url", url);
    expect(await api.request<GitLfs>("GET", lfsPath)).toMatchObject({ hash: null, problem: expect.stringContaining("https") });
  }
  expect(existsSync(canary)).toBe(false);
  close();
});

function hasGitLfs(): boolean {
  try {
    execFileSync("git-lfs", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

// scripts/setup installs it where possible
test.runIf(hasGitLfs())("[X8] the real git-lfs downloads what is missing once it is trusted, and reports what it cannot get", async () => {
  const unknown = "on no server\n";
  const repository = newLfsRepository({ "large.bin": pointer, "other.bin": pointer });
  const server = await startLfsServer([content]);
  git(repository, "remote", "add", "origin", `${server.url}/app.git`);
  const { work, trust, close } = await openProject(newFolder("home"), repository);
  await work(nothing());
  expect(server.requests).toEqual([]);
  await trust();
  const one = await work(nothing());
  expect(["large.bin", "other.bin"].map(one.read)).toEqual([content, content]);
  expect(await one.listChanged()).toEqual([]);
  expect(server.requests[0]).toBe("/app.git/info/lfs/objects/batch");
  expect(server.downloads).toEqual([toOid(content)]);
  // objects that exist now are not requested again
  await work(nothing());
  expect(server.downloads).toHaveLength(1);

  const id = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: repository, input: toLfsPointer(unknown), encoding: "utf8" });
  git(repository, "update-index", "--add", "--cacheinfo", `100644,${id.trim()},unknown.bin`);
  git(repository, "commit", "--quiet", "--message", "unknown");
  const lacking = await work(nothing());
  expect([lacking.read("large.bin"), lacking.read("unknown.bin")]).toEqual([content, toLfsPointer(unknown)]);
  expect(lacking.said).toMatch(/git-lfs could not download them\. .*(not exist|404)/);
  close();
});
