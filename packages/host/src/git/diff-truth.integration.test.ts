import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { tryGit } from "@skein/testkit/hostile-repositories";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyDiff, readFolderState, toBlobId, toLeftOut } from "./apply-diff.fixture.ts";
import { diffAgainstBase } from "./attempt-diff.ts";
import { toFsPath } from "./byte-path.ts";
import { git, newWorktree } from "./repository.fixture.ts";

/*
 * The reviewed diff is accurate: applying it to the base gives exactly the folder's content, whatever an agent did to hide a part of
 * it. Paths are byte strings.
 */

const isLong = process.env.SKEIN_TEST_LONG === "1";
const numRuns = isLong ? 3000 : 15;

const latin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const names = [
  "a.txt",
  "b.txt",
  "with space.txt",
  "tab\there",
  "line\nbreak",
  '"quoted"',
  "back\\slash",
  "-option",
  ":(glob)*",
  "c b",
  "d",
];
const oddNames = [latin1("名 é.txt"), "latin-\xe9.txt", "a-x", "diff --git a b", ".gitignore", "x.log", "@@ -1 +1 @@"];
const folders = ["", "", "dir/", "dir/deep/", latin1("目录/"), "x b/"];
const path = fc.tuple(fc.constantFrom(...folders), fc.constantFrom(...names, ...oddNames)).map(([folder, name]) => folder + name);

const line = fc.constantFrom(
  "one",
  "two",
  "",
  "+plus",
  "-minus",
  "\\ No newline",
  "@@ -1,2 +1,2 @@",
  "diff --git a/x b/x",
  "$Id: hidden $",
  "crlf\r",
  "é 名",
);
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, hasEnd]) => Buffer.from(lines.join("\n") + (hasEnd && lines.length > 0 ? "\n" : "")));
const content = fc.oneof(
  { weight: 6, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.constantFrom(Buffer.from([0, 1, 2]), Buffer.from("caf\xe9\n", "latin1"), Buffer.alloc(9000, "x\n"), Buffer.from("")),
  },
  { weight: 1, arbitrary: fc.constant(Buffer.concat([Buffer.from("x\n".repeat(5000)), Buffer.from([0, 10])])) },
);
const target = fc.constantFrom("a.txt", "dir", "../outside", "nowhere");

const edit = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, content }),
  fc.record({ kind: fc.constant("link" as const), path, target }),
  fc.record({ kind: fc.constant("remove" as const), path }),
  fc.record({ kind: fc.constant("rename" as const), path, to: path }),
  fc.record({ kind: fc.constant("mode" as const), path }),
  fc.record({ kind: fc.constant("folder" as const), path }),
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** Writes a file and removes whatever is in its way. */
function perform(directory: string, change: Edit): void {
  const full = toFsPath(directory, change.path);
  const found = lstatSync(full, { throwIfNoEntry: false });
  const clear = (at: string): void => {
    makeFolders(directory, at);
    rmSync(toFsPath(directory, at), { recursive: true, force: true });
  };
  try {
    if (change.kind === "write") {
      clear(change.path);
      writeFileSync(full, change.content);
    } else if (change.kind === "link") {
      clear(change.path);
      symlinkSync(change.target, full);
    } else if (change.kind === "remove") {
      rmSync(full, { recursive: true, force: true });
    } else if (
      change.kind === "rename" &&
      found !== undefined &&
      !change.to.startsWith(`${change.path}/`) &&
      !change.path.startsWith(change.to)
    ) {
      clear(change.to);
      renameSync(full, toFsPath(directory, change.to));
    } else if (change.kind === "mode" && found?.isFile()) {
      chmodSync(full, found.mode & 0o100 ? 0o644 : 0o755);
    } else if (change.kind === "folder") {
      clear(change.path);
      mkdirSync(full);
      writeFileSync(toFsPath(directory, `${change.path}/inside.txt`), "inside\n");
    }
  } catch (error) {
    // a link in place of a folder leads elsewhere or nowhere
    if (!["ENOENT", "ENOTDIR", "ELOOP", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function makeFolders(directory: string, at: string): void {
  const parts = at.split("/").slice(0, -1);
  for (let end = 1; end <= parts.length; end++) {
    const folder = toFsPath(directory, parts.slice(0, end).join("/"));
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found !== undefined && !found.isDirectory()) rmSync(folder);
    if (!existsSync(folder)) mkdirSync(folder);
  }
}

/** Ways for an agent to hide its changes. */
const tricks: Record<string, (directory: string) => void> = {
  "skip-worktree": (directory) => markAll(directory, "--skip-worktree"),
  "assume-unchanged": (directory) => markAll(directory, "--assume-unchanged"),
  "info/exclude": (directory) => appendFileSync(join(commonDir(directory), "info/exclude"), "*\n"),
  ".gitignore": (directory) => writeFileSync(join(directory, ".gitignore"), "*\n"),
  "git replace": replaceBlobs,
  "nested repository": (directory) => {
    const lib = join(directory, "lib");
    rmSync(lib, { recursive: true, force: true });
    mkdirSync(lib);
    git(lib, "init", "--quiet");
    writeFileSync(join(lib, "hidden.txt"), "hidden\n");
  },
  "nested repository in the index": (directory) => {
    const sub = join(directory, "sub");
    rmSync(sub, { recursive: true, force: true });
    mkdirSync(sub);
    git(sub, "init", "--quiet");
    writeFileSync(join(sub, "hidden.txt"), "hidden\n");
    git(sub, "add", "--all");
    git(sub, "commit", "--quiet", "--message", "hidden");
    tryGit(directory, "add", "sub");
  },
  ".git swapped": (directory) => {
    const evil = realpathSync(mkdtempSync(join(tmpdir(), "skein-evil-")));
    git(evil, "init", "--quiet");
    rmSync(join(directory, ".git"), { recursive: true, force: true });
    writeFileSync(join(directory, ".git"), `gitdir: ${evil}/.git\n`);
  },
  attributes: (directory) => {
    writeFileSync(
      join(directory, ".gitattributes"),
      "* -diff\n*.txt binary\n* ident text eol=crlf working-tree-encoding=UTF-16 filter=x\n",
    );
  },
  "attributes of the repository": (directory) => {
    mkdirSync(join(commonDir(directory), "info"), { recursive: true });
    writeFileSync(join(commonDir(directory), "info/attributes"), "* -diff ident\n");
  },
  "sparse checkout": (directory) => tryGit(directory, "sparse-checkout", "set", "--no-cone", "nothing"),
  commit: (directory) => {
    tryGit(directory, "add", "--all");
    tryGit(directory, "commit", "--quiet", "--message", "work");
  },
  settings: (directory) => {
    for (const [key, value] of [
      ["core.fileMode", "false"],
      ["core.symlinks", "false"],
      ["core.trustctime", "false"],
      ["core.checkStat", "minimal"],
      ["core.ignoreStat", "true"],
      ["core.excludesFile", "/dev/stdin"],
      ["core.autocrlf", "input"],
      ["diff.noprefix", "true"],
      ["diff.renames", "copies"],
      ["diff.ignoreSubmodules", "all"],
    ] as const)
      tryGit(directory, "config", key, value);
  },
};

function commonDir(directory: string): string {
  try {
    return git(directory, "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
  } catch {
    return mkdtempSync(join(tmpdir(), "skein-nowhere-")); // .git was swapped before
  }
}

function markAll(directory: string, flag: string): void {
  try {
    const files = execFileSync("git", ["ls-files", "-z"], { cwd: directory });
    execFileSync("git", ["update-index", flag, "-z", "--stdin"], { cwd: directory, input: files, stdio: "pipe" });
  } catch {
    // .git was swapped before
  }
}

/** Makes every file of the last commit look unchanged. */
function replaceBlobs(directory: string): void {
  for (const [at, { content: now }] of readFolderState(directory)) {
    try {
      const id = execFileSync("git", ["hash-object", "-w", "--stdin"], {
        cwd: directory,
        input: now,
        encoding: "utf8",
        stdio: "pipe",
      }).trim();
      const old = git(directory, "rev-parse", "--verify", "--quiet", `HEAD:./${Buffer.from(at, "latin1").toString("utf8")}`).trim();
      if (old !== id) tryGit(directory, "replace", "--force", old, id);
    } catch {
      // not in the last commit
    }
  }
}

/** A repository whose base has the files that `edits` make. */
async function startAttempt(edits: readonly Edit[]) {
  const repository = realpathSync(mkdtempSync(join(tmpdir(), "skein-truth-")));
  git(repository, "init", "--quiet", "--initial-branch=main");
  git(repository, "config", "core.autocrlf", "false");
  for (const one of edits) perform(repository, one);
  rmSync(join(repository, ".gitignore"), { recursive: true, force: true });
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--allow-empty", "--message", "base");
  const worktree = await newWorktree(repository);
  return { worktree, repository, base: readFolderState(worktree.directory) };
}

test("[X14] applying the shown diff to the base gives exactly the folder, whatever an agent did to hide it", {
  timeout: 4 * 3_600_000,
}, async () => {
  const scenario = fc.record({
    before: fc.array(edit, { minLength: 1, maxLength: 8 }),
    after: fc.array(edit, { minLength: 1, maxLength: 8 }),
    applied: fc.subarray(Object.keys(tricks), { maxLength: 3 }),
    tricksFirst: fc.boolean(),
  });
  const property = fc.asyncProperty(scenario, async ({ before, after, applied, tricksFirst }) => {
    const { worktree, repository, base } = await startAttempt(before);
    const { directory } = worktree;
    expect(await diffAgainstBase(worktree)).toMatchObject({ files: [], excluded: { paths: [], total: 0 }, nested: [] });
    const hide = (): void => {
      for (const name of applied) tricks[name]?.(directory);
    };
    if (tricksFirst) hide();
    for (const one of after) perform(directory, one);
    if (!tricksFirst) hide();
    const diff = await diffAgainstBase(worktree);
    const actual = readFolderState(directory, toLeftOut(diff));
    expect(toComparable(applyDiff(base, diff, actual))).toEqual(toComparable(actual));
    for (const place of [directory, repository, dirname(worktree.root)]) rmSync(place, { recursive: true, force: true });
  });
  await fc.assert(property, {
    numRuns: Number(process.env.SKEIN_TEST_DIFFS ?? numRuns),
    endOnFailure: process.env.SKEIN_TEST_SHRINK === undefined,
  });
});

function toComparable(state: ReturnType<typeof readFolderState>): unknown {
  return [...state].map(([at, { mode, content: bytes }]) => [at, mode, toBlobId(bytes), bytes.toString("latin1").slice(0, 200)]).toSorted();
}
