import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diffAgainstBase } from "./attempt-diff.ts";
import { statAgainstBase } from "./diff-stat.ts";
import { commit, git, newRepository, newWorktree } from "./repository.fixture.ts";

const makePipe = "mkfifo";

/** Three files, and a worktree of them. */
async function newAttempt(more: Record<string, string | Buffer> = {}) {
  const repository = newRepository();
  for (const [name, content] of Object.entries({ "m.txt": "m\n", "z.txt": "z\n", ...more })) writeFileSync(join(repository, name), content);
  commit(repository, "more");
  return newWorktree(repository);
}

const toLines = (diff: Awaited<ReturnType<typeof diffAgainstBase>>) =>
  Object.fromEntries(
    diff.files.map(({ filePath, hunks }) => [filePath, hunks.flatMap(({ lines }) => lines.filter((line) => !line.startsWith(" ")))]),
  );

describe("[X14] the diff shows what an agent tries to hide", () => {
  test("a file that became a link does not shift others: each hunk stays with its file, and none is lost", async () => {
    const attempt = await newAttempt();
    rmSync(join(attempt.directory, "a.txt"));
    symlinkSync("elsewhere", join(attempt.directory, "a.txt"));
    writeFileSync(join(attempt.directory, "m.txt"), "M\n");
    writeFileSync(join(attempt.directory, "z.txt"), "backdoor\n");
    const diff = await diffAgainstBase(attempt);
    expect(toLines(diff)).toEqual({
      "a.txt": ["-one", "-two", "-three", "+elsewhere", "\\ No newline at end of file"],
      "m.txt": ["-m", "+M"],
      "z.txt": ["-z", "+backdoor"],
    });
    expect(diff.files[0]).toMatchObject({ change: "updated", oldMode: "100644", newMode: "120000" });
  });

  test.each(["--skip-worktree", "--assume-unchanged"])("update-index %s", async (flag) => {
    const attempt = await newAttempt();
    git(attempt.directory, "update-index", flag, "a.txt");
    writeFileSync(join(attempt.directory, "a.txt"), "one\nTWO\nthree\n");
    expect(toLines(await diffAgainstBase(attempt))).toEqual({ "a.txt": ["-two", "+TWO"] });
    expect(await statAgainstBase(attempt)).toEqual({ files: 1, additions: 1, deletions: 1 });
  });

  test("git replace", async () => {
    const attempt = await newAttempt();
    writeFileSync(join(attempt.directory, "a.txt"), "one\nTWO\nthree\n");
    const forged = git(attempt.directory, "hash-object", "-w", "a.txt").trim();
    git(attempt.directory, "replace", git(attempt.directory, "rev-parse", "HEAD:a.txt").trim(), forged);
    expect(toLines(await diffAgainstBase(attempt))).toEqual({ "a.txt": ["-two", "+TWO"] });
  });

  test("rules in info/exclude do not count; what .gitignore excludes is named, a folder as a whole", async () => {
    const attempt = await newAttempt();
    appendFileSync(join(attempt.repository.commonDir, "info/exclude"), "hidden.txt\n");
    writeFileSync(join(attempt.directory, "hidden.txt"), "hidden\n");
    writeFileSync(join(attempt.directory, ".gitignore"), "*.log\nnode_modules/\n.gitignore\n");
    mkdirSync(join(attempt.directory, "node_modules/deep"), { recursive: true });
    mkdirSync(join(attempt.directory, "logs/deep"), { recursive: true });
    for (const name of ["node_modules/deep/x.js", "node_modules/y.js", "evil.log", "logs/a.log", "logs/deep/b.log"])
      writeFileSync(join(attempt.directory, name), "x");
    const diff = await diffAgainstBase(attempt);
    expect(diff.files.map(({ filePath }) => filePath)).toEqual(["hidden.txt"]);
    expect(diff.excluded).toEqual({ total: 4, paths: [".gitignore", "evil.log", "logs/", "node_modules/"] });
  });

  test("rules of the user's own settings count, and those that a repository's settings name do not", async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "skein-user-")));
    writeFileSync(join(home, ".gitconfig"), "[core]\n\texcludesFile = ~/rules\n");
    writeFileSync(join(home, "rules"), "*.own\n");
    writeFileSync(join(home, "others"), "*\n");
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      const attempt = await newAttempt();
      git(attempt.directory, "config", "core.excludesFile", join(home, "others"));
      for (const name of ["a.own", "new.txt"]) writeFileSync(join(attempt.directory, name), "x\n");
      const diff = await diffAgainstBase(attempt);
      expect([diff.files.map(({ filePath }) => filePath), diff.excluded?.paths]).toEqual([["new.txt"], ["a.own"]]);
    } finally {
      process.env.HOME = before;
    }
  });

  test("a repository of its own in the folder is named, and the rest is shown", async () => {
    const attempt = await newAttempt();
    mkdirSync(join(attempt.directory, "lib"));
    git(join(attempt.directory, "lib"), "init", "--quiet");
    writeFileSync(join(attempt.directory, "lib/hidden.txt"), "hidden\n");
    writeFileSync(join(attempt.directory, "a.txt"), "one\nTWO\nthree\n");
    const diff = await diffAgainstBase(attempt);
    expect([diff.files.map(({ filePath }) => filePath), diff.nested]).toEqual([["a.txt"], ["lib"]]);
  });

  test("files in the folder of a submodule that was never filled are named with it", async () => {
    const repository = newRepository();
    git(repository, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
    git(repository, "commit", "--quiet", "--message", "submodule");
    const attempt = await newWorktree(repository);
    expect(await diffAgainstBase(attempt)).toMatchObject({ files: [], nested: [] });
    writeFileSync(join(attempt.directory, "sub/hidden.txt"), "hidden\n");
    expect(await diffAgainstBase(attempt)).toMatchObject({ files: [], nested: ["sub"] });
  });

  test("attributes that an agent wrote", async () => {
    const attempt = await newAttempt({ "id.txt": "$Id$\n" });
    writeFileSync(join(attempt.directory, ".gitattributes"), "* -diff ident text eol=crlf\n.gitattributes diff\n");
    writeFileSync(join(attempt.directory, "a.txt"), "one\r\nTWO\nthree\n");
    writeFileSync(join(attempt.directory, "id.txt"), "$Id: rm -rf / $\n");
    const lines = toLines(await diffAgainstBase(attempt));
    expect(lines).toMatchObject({ "a.txt": ["-one", "-two", "+one\r", "+TWO"], "id.txt": ["-$Id$", "+$Id: rm -rf / $"] });
  });

  test("a change that keeps size and times, and settings that disable the check", async () => {
    const attempt = await newAttempt();
    for (const [key, value] of [
      ["core.trustctime", "false"],
      ["core.checkStat", "minimal"],
      ["core.fileMode", "false"],
    ] as const)
      git(attempt.directory, "config", key, value);
    execFileSync("sh", ["-c", "touch -r a.txt ../stamp && printf 'one\\nTWO\\nthree\\n' > a.txt && touch -r ../stamp a.txt"], {
      cwd: attempt.directory,
    });
    chmodSync(join(attempt.directory, "m.txt"), 0o755);
    const diff = await diffAgainstBase(attempt);
    expect(toLines(diff)).toEqual({ "a.txt": ["-two", "+TWO"], "m.txt": [] });
    expect(diff.files[1]).toMatchObject({ oldMode: "100644", newMode: "100755" });
  });

  test("a pipe in the place of a file does not keep the server waiting, and is named", async () => {
    const attempt = await newAttempt();
    rmSync(join(attempt.directory, "a.txt"));
    execFileSync(makePipe, [join(attempt.directory, "a.txt")]);
    expect((await diffAgainstBase(attempt)).files).toMatchObject([{ filePath: "a.txt", change: "updated", incomplete: "special" }]);
  });

  test("invalid UTF-8 is flagged, and names keep their bytes", async () => {
    const attempt = await newAttempt();
    writeFileSync(Buffer.concat([Buffer.from(`${attempt.directory}/caf`), Buffer.from([0xe9])]), Buffer.from([0x63, 0xe9, 0x0a]));
    expect((await diffAgainstBase(attempt)).files).toMatchObject([
      { filePath: "caf\ufffd", pathBytes: Buffer.from("caf\xe9", "latin1").toString("base64"), incomplete: "not-utf8" },
    ]);
  });

  test("a file that Git LFS stores is unchanged with its pointer and with its content, and changed with another", async () => {
    const content = Buffer.from("a large picture\n");
    const sha256 = createHash("sha256").update(content).digest("hex");
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${content.length}\n`;
    const attempt = await newAttempt({ ".gitattributes": "*.psd filter=lfs diff=lfs merge=lfs -text\n", "p.psd": pointer });
    expect((await diffAgainstBase(attempt)).files).toEqual([]);
    writeFileSync(join(attempt.directory, "p.psd"), content);
    expect((await diffAgainstBase(attempt)).files).toEqual([]);
    expect(await statAgainstBase(attempt)).toEqual({ files: 0, additions: 0, deletions: 0 });
    writeFileSync(join(attempt.directory, "p.psd"), "A large picture\n");
    expect((await diffAgainstBase(attempt)).files).toMatchObject([{ filePath: "p.psd", change: "updated" }]);
  });

  test("a repository whose own attributes ask for CRLF has it in its worktrees, and no changes from the start", async () => {
    const attempt = await newAttempt({ ".gitattributes": "* text=auto\n*.bat eol=crlf\n", "run.bat": "@echo\r\n" });
    expect(git(attempt.directory, "status", "--porcelain")).toBe("");
    expect((await diffAgainstBase(attempt)).files).toEqual([]);
    writeFileSync(join(attempt.directory, "run.bat"), "@echo\r\nexit\r\n");
    expect(toLines(await diffAgainstBase(attempt))).toEqual({ "run.bat": ["+exit"] });
  });
});
