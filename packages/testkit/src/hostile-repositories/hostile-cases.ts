import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  appendSettings,
  commitAll,
  commitFileWithAttributes,
  copyRepository,
  type HostileRepository,
  runGit,
  tryGit,
  writeFiles,
  writeProgram,
} from "./hostile-repository.ts";

/** One way in which a repository, or an agent that worked in it, makes git start a program. */
export interface HostileCase {
  readonly name: string;
  /** Sets the trap, before the user adds the repository. */
  build?(repository: HostileRepository): void;
  /** What an agent does in its folder: a worktree, or the repository's own. */
  asAgent?(repository: HostileRepository, directory: string): void;
  /** Triggers the trap with plain git: proof that it works. */
  provoke(repository: HostileRepository, directory: string): void;
  /** Objects are missing, so that files cannot be compared: our git may refuse, but must not fetch. */
  lacksObjects?: boolean;
  /** The agent removes the git dir from the repository's own folder. */
  destroysRepository?: boolean;
  /** The first version of git with this feature. */
  since?: readonly [major: number, minor: number];
}

const touchAndDiff = (name: string) => (_: HostileRepository, directory: string) => {
  writeFileSync(join(directory, name), "changed\n");
  tryGit(directory, "status");
  tryGit(directory, "diff");
};

/** A filter that runs when the file `name` is checked out or compared. */
function filterCase(name: string, file: string, driver: string, settings: (canary: string) => string): HostileCase {
  return {
    name,
    build(repository) {
      commitFileWithAttributes(repository, file, `filter=${driver}`);
      appendSettings(repository, settings(repository.canary));
    },
    provoke: (repository, directory) => {
      touchAndDiff(file)(repository, directory);
      tryGit(
        repository.path,
        "worktree",
        "add",
        "-b",
        `skein/${basename(repository.outside)}-${file}`,
        join(repository.outside, `proof-${file}`),
      );
    },
  };
}

const filter = (name: string) => (canary: string) => `[filter "${name}"]\n\tclean = ${canary}\n\tsmudge = ${canary}\n\trequired = true`;

function includedCase(name: string, file: string, condition: string): HostileCase {
  return filterCase(name, file, file.replace(/\W/g, ""), (canary) => {
    const included = join(dirname(canary), `${file}.inc`);
    writeFileSync(included, filter(file.replace(/\W/g, ""))(canary));
    return `[${condition}]\n\tpath = ${included}`;
  });
}

/** A repository without one of its objects, which only a remote has. */
function partialCase(name: string, remote: (repository: HostileRepository) => string): HostileCase {
  return {
    name,
    lacksObjects: true,
    build(repository) {
      writeFiles(repository.path, { "missing.txt": `${name}\n` });
      commitAll(repository.path);
      const id = runGit(repository.path, "rev-parse", "HEAD:missing.txt").trim();
      appendSettings(repository, `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = origin\n${remote(repository)}`);
      rmSync(join(repository.path, ".git/objects", id.slice(0, 2), id.slice(2)));
    },
    provoke: ({ path }) => tryGit(path, "cat-file", "-p", "HEAD:missing.txt"),
  };
}

const allHooks = ["post-checkout", "pre-commit", "post-commit", "post-index-change", "reference-transaction", "post-merge", "pre-auto-gc"];

function writeHooks(folder: string, canary: string): void {
  mkdirSync(folder, { recursive: true });
  for (const hook of allHooks) writeProgram(join(folder, hook), `exec '${canary}' < /dev/null`);
}

function settingsCase(name: string, settings: (canary: string) => string, provoke: HostileCase["provoke"]): HostileCase {
  return { name, build: (repository) => appendSettings(repository, settings(repository.canary)), provoke };
}

function driverCase(name: string, file: string, attributes: string, settings: (canary: string) => string): HostileCase {
  return {
    name,
    build(repository) {
      commitFileWithAttributes(repository, file, attributes);
      appendSettings(repository, settings(repository.canary));
    },
    provoke: touchAndDiff(file),
  };
}

/** A repository that does whatever it can when git looks at it. */
function makeEvilRepository(repository: HostileRepository, path: string): string {
  rmSync(path, { recursive: true, force: true });
  copyRepository(path, { "a.txt": "evil\n", ".gitattributes": "* filter=a=b\n" });
  writeHooks(join(path, ".git/hooks"), repository.canary);
  const { canary } = repository;
  appendFileSync(join(path, ".git/config"), `${filter("a=b")(canary)}\n[core]\n\tfsmonitor = ${canary}\n\tpager = ${canary}\n`);
  writeFiles(path, { ".git/info/attributes": "* filter=a=b\n", "a.txt": "dirty\n" });
  return path;
}

/** The folder's git dir, as named by its `.git`. */
function findGitDir(directory: string): string {
  return runGit(directory, "rev-parse", "--path-format=absolute", "--git-dir").trim();
}

function askForCredential(directory: string): void {
  try {
    execFileSync("git", ["credential", "fill"], {
      cwd: directory,
      input: "protocol=https\nhost=localhost\n\n",
      stdio: "pipe",
      timeout: 20_000,
    });
  } catch {
    // it has no answer
  }
}

const fromTheRepository: readonly HostileCase[] = [
  {
    name: "a filter that replaces Git LFS, and a program for its downloads",
    build(repository) {
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"ab".repeat(32)}\nsize 12\n`;
      writeFiles(repository.path, { "stored.bin": pointer, ".lfsconfig": "[lfs]\n\turl = https://localhost/x\n" });
      appendFileSync(join(repository.path, ".gitattributes"), "stored.bin filter=lfs diff=lfs merge=lfs -text\n");
      commitAll(repository.path);
      const { canary } = repository;
      const transfer = `[lfs]\n\tstandaloneTransferAgent = evil\n[lfs "customTransfer.evil"]\n\tpath = ${canary}`;
      appendSettings(repository, `${filter("lfs")(canary)}\n\tprocess = ${canary}\n${transfer}`);
    },
    provoke: touchAndDiff("stored.bin"),
  },
  filterCase("a filter", "plain.txt", "evil", filter("evil")),
  filterCase("a filter whose name has an equals sign", "equals.txt", "a=b", filter("a=b")),
  filterCase("a filter without a name", "empty.txt", "", filter("")),
  filterCase(
    "a filter that is a process",
    "process.txt",
    "long",
    (canary) => `[filter "long"]\n\tprocess = ${canary} < /dev/null\n\trequired = true`,
  ),
  includedCase("a filter in an included file", "included.txt", "include"),
  includedCase("a filter that is included for worktrees", "gitdir.txt", 'includeIf "gitdir:**/worktrees/**"'),
  includedCase("a filter that is included on a branch", "onbranch.txt", 'includeIf "onbranch:skein/**"'),
  {
    ...includedCase("a filter that is included because of a remote", "hasconfig.txt", 'includeIf "hasconfig:remote.*.url:https://*/**"'),
    since: [2, 36],
    build(repository) {
      appendSettings(repository, '[remote "there"]\n\turl = https://example.invalid/x');
      includedCase("", "hasconfig.txt", 'includeIf "hasconfig:remote.*.url:https://*/**"').build?.(repository);
    },
  },
  driverCase("a text conversion", "textconv.txt", "diff=conv", (canary) => `[diff "conv"]\n\ttextconv = ${canary}`),
  driverCase("a diff driver", "driver.txt", "diff=command", (canary) => `[diff "command"]\n\tcommand = ${canary}`),
  driverCase("an external diff", "external.txt", "diff", (canary) => `[diff]\n\texternal = ${canary}`),
  {
    name: "a merge driver",
    build(repository) {
      commitFileWithAttributes(repository, "merge.txt", "merge=evil");
      appendSettings(repository, `[merge "evil"]\n\tname = evil\n\tdriver = ${repository.canary} %O %A %B`);
    },
    provoke(_, directory) {
      const current = runGit(directory, "rev-parse", "--abbrev-ref", "HEAD").trim();
      for (const side of ["left", "right"]) {
        tryGit(directory, "checkout", "--quiet", "-B", `proof-${side}`, current);
        writeFileSync(join(directory, "merge.txt"), `${side}\n`);
        tryGit(directory, "commit", "--quiet", "--all", "--message", side);
      }
      tryGit(directory, "merge", "--quiet", "proof-left");
    },
  },
  {
    name: "hooks",
    build: ({ path, canary }) => writeHooks(join(path, ".git/hooks"), canary),
    provoke: (_, directory) => tryGit(directory, "commit", "--quiet", "--allow-empty", "--message", "x"),
  },
  {
    name: "hooks in a folder that the settings name",
    build(repository) {
      const folder = join(repository.outside, "hooks");
      writeHooks(folder, repository.canary);
      appendSettings(repository, `[core]\n\thooksPath = ${folder}`);
    },
    provoke: (_, directory) => tryGit(directory, "commit", "--quiet", "--allow-empty", "--message", "x"),
  },
  {
    ...settingsCase(
      "hooks that the settings name",
      (canary) => `[hook "evil"]\n\tcommand = ${canary}\n${allHooks.map((event) => `\tevent = ${event}\n`).join("")}`,
      (_, directory) => tryGit(directory, "commit", "--quiet", "--allow-empty", "--message", "x"),
    ),
    since: [2, 54],
  },
  settingsCase("a file system monitor", (canary) => `[core]\n\tfsmonitor = ${canary}`, touchAndDiff("a.txt")),
  settingsCase(
    "a pager",
    (canary) => `[core]\n\tpager = ${canary}`,
    ({ path }) => tryGit(path, "grep", "--open-files-in-pager", "one"),
  ),
  settingsCase(
    "a program that signs",
    (canary) => `[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${canary}\n[log]\n\tshowSignature = true`,
    (_, directory) => tryGit(directory, "commit", "--quiet", "--allow-empty", "--message", "x"),
  ),
  settingsCase(
    "an editor",
    (canary) => `[core]\n\teditor = ${canary}\n[sequence]\n\teditor = ${canary}`,
    (_, directory) => tryGit(directory, "commit", "--allow-empty"),
  ),
  settingsCase(
    "a helper for credentials",
    (canary) => `[credential]\n\thelper = ${canary}\n[core]\n\taskPass = ${canary}`,
    (_, directory) => askForCredential(directory),
  ),
  {
    name: "a command for ssh, and programs of the remote",
    build(repository) {
      const { silent } = repository;
      appendSettings(
        repository,
        `[core]\n\tsshCommand = ${silent}\n\tgitProxy = ${silent}\n[remote "origin"]\n\treceivepack = ${silent}\n\tuploadpack = ${silent}`,
      );
    },
    provoke: (_, directory) => tryGit(directory, "ls-remote", "ssh://git@127.0.0.1:1/o/r.git"),
  },
  settingsCase(
    "an alias",
    (canary) => ["st", "wt", "diff-all"].map((name) => `[alias]\n\t${name} = !${canary}`).join("\n"),
    (_, directory) => tryGit(directory, "st"),
  ),
  {
    name: "a command for the refs of alternates",
    build(repository) {
      const other = join(repository.outside, "other");
      runGit(repository.outside, "clone", "--quiet", "--no-local", repository.path, other);
      writeFileSync(join(repository.path, ".git/objects/info/alternates"), `${other}/.git/objects\n`);
      appendSettings(repository, `[core]\n\talternateRefsCommand = ${repository.silent}`);
    },
    provoke({ outside, path }) {
      const other = join(outside, "other");
      tryGit(other, "commit", "--quiet", "--allow-empty", "--message", "x");
      tryGit(other, "push", "--quiet", path, "HEAD:refs/heads/pushed");
    },
  },
  {
    name: "settings of one worktree",
    build(repository) {
      appendSettings(repository, "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tworktreeConfig = true");
      const { canary } = repository;
      writeFileSync(join(repository.path, ".git/config.worktree"), `[core]\n\tfsmonitor = ${canary}\n${filter("own")(canary)}\n`);
    },
    provoke: ({ path }) => tryGit(path, "status"),
  },
  {
    name: "a submodule that is changed and has filters and a monitor",
    build(repository) {
      const { canary, path } = repository;
      const evil = makeEvilRepository(repository, join(path, "sub"));
      const id = runGit(evil, "-c", "core.fsmonitor=false", "rev-parse", "HEAD").trim();
      writeFiles(path, { ".gitmodules": `[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tupdate = none\n` });
      commitAll(path, ["update-index", "--add", "--cacheinfo", `160000,${id},sub`], ["add", ".gitmodules"]);
      appendSettings(repository, `[submodule "sub"]\n\tactive = true\n\turl = ./sub\n\tupdate = !${canary}\n[diff]\n\tsubmodule = diff`);
      repository.forgetTrace();
    },
    provoke: ({ path }) => tryGit(path, "diff"),
  },
];

const partialClones: readonly HostileCase[] = [
  partialCase("a partial clone with a program for its remote", ({ silent, outside, path }) => {
    runGit(outside, "clone", "--quiet", "--bare", path, join(outside, "origin.git"));
    return `[remote "origin"]\n\turl = ${join(outside, "origin.git")}\n\tpromisor = true\n\tuploadPack = ${silent}`;
  }),
  partialCase(
    "a partial clone with a command for ssh",
    ({ silent }) => `[core]\n\tsshCommand = ${silent}\n[remote "origin"]\n\turl = ssh://localhost/x\n\tpromisor = true`,
  ),
  partialCase(
    "a partial clone whose address is a command",
    ({ silent }) => `[protocol "ext"]\n\tallow = always\n[remote "origin"]\n\turl = ext::${silent} x\n\tpromisor = true`,
  ),
  partialCase(
    "a partial clone with a proxy",
    ({ silent }) => `[core]\n\tgitProxy = ${silent}\n[remote "origin"]\n\turl = git://localhost/x\n\tpromisor = true`,
  ),
];

const byAnAgent: readonly HostileCase[] = [
  {
    name: "an agent makes a repository in the folder and adds it",
    asAgent(repository, directory) {
      makeEvilRepository(repository, join(directory, "nested"));
      tryGit(directory, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "add", "nested");
    },
    provoke: (_, directory) => tryGit(directory, "diff"),
  },
  {
    name: "an agent makes a repository in the folder, without a commit",
    asAgent(repository, directory) {
      const path = join(directory, "lib");
      mkdirSync(path, { recursive: true });
      runGit(path, "init", "--quiet");
      writeHooks(join(path, ".git/hooks"), repository.canary);
      appendFileSync(join(path, ".git/config"), `[core]\n\tfsmonitor = ${repository.canary}\n`);
      writeFileSync(join(path, "hidden.txt"), "hidden\n");
    },
    provoke: (_, directory) => tryGit(join(directory, "lib"), "status"),
  },
  {
    name: "an agent points .git to another repository",
    destroysRepository: true,
    asAgent(repository, directory) {
      const evil = makeEvilRepository(repository, join(repository.outside, `evil-${basename(directory)}`));
      rmSync(join(directory, ".git"), { recursive: true, force: true });
      writeFileSync(join(directory, ".git"), `gitdir: ${evil}/.git\n`);
    },
    provoke: (_, directory) => tryGit(directory, "status"),
  },
  {
    name: "an agent replaces .git with another repository",
    destroysRepository: true,
    asAgent(repository, directory) {
      const evil = makeEvilRepository(repository, join(repository.outside, `evil-${basename(directory)}`));
      rmSync(join(directory, ".git"), { recursive: true, force: true });
      cpSync(join(evil, ".git"), join(directory, ".git"), { recursive: true });
    },
    provoke: (_, directory) => tryGit(directory, "status"),
  },
  {
    name: "an agent makes .git a link to another repository",
    destroysRepository: true,
    asAgent(repository, directory) {
      const evil = makeEvilRepository(repository, join(repository.outside, `evil-${basename(directory)}`));
      rmSync(join(directory, ".git"), { recursive: true, force: true });
      symlinkSync(join(evil, ".git"), join(directory, ".git"));
    },
    provoke: (_, directory) => tryGit(directory, "status"),
  },
  {
    name: "an agent gives the worktree other shared settings",
    asAgent(repository, directory) {
      const evil = makeEvilRepository(repository, join(repository.outside, `evil-${basename(directory)}`));
      const gitDir = findGitDir(directory);
      if (basename(dirname(gitDir)) === "worktrees") writeFileSync(join(gitDir, "commondir"), `${evil}/.git\n`);
      else appendFileSync(join(gitDir, "config"), readFileSync(join(evil, ".git/config"), "utf8"));
    },
    provoke: (_, directory) => tryGit(directory, "status"),
  },
  {
    name: "an agent changes the repository's settings, hooks and attributes",
    asAgent(repository, directory) {
      const { canary } = repository;
      const common = runGit(directory, "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
      writeHooks(join(common, "hooks"), canary);
      appendFileSync(
        join(common, "config"),
        `${filter("late")(canary)}\n[core]\n\tfsmonitor = ${canary}\n[diff]\n\texternal = ${canary}\n`,
      );
      mkdirSync(join(common, "info"), { recursive: true });
      writeFileSync(join(common, "info/attributes"), "* filter=late\n");
      writeFileSync(join(directory, ".gitattributes"), "* filter=late\n");
    },
    provoke: (_, directory) => tryGit(directory, "status"),
  },
  {
    name: "an agent makes the index ask a monitor, and splits it",
    asAgent(repository, directory) {
      const { canary } = repository;
      tryGit(directory, "update-index", "--split-index");
      tryGit(directory, "-c", `core.fsmonitor=${canary}`, "update-index", "--fsmonitor");
      tryGit(directory, "config", "core.fsmonitor", canary);
      repository.forgetTrace();
    },
    provoke: (_, directory) => tryGit(directory, "status"),
  },
  {
    name: "an agent adds settings of its own worktree",
    asAgent(repository, directory) {
      const { canary } = repository;
      const common = runGit(directory, "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
      appendFileSync(join(common, "config"), "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tworktreeConfig = true\n");
      writeFileSync(join(findGitDir(directory), "config.worktree"), `[core]\n\tfsmonitor = ${canary}\n`);
    },
    provoke: (_, directory) => tryGit(directory, "status"),
  },
];

/** Every known way. Each comes with the proof that it works with plain git. */
export const hostileCases = { fromTheRepository, partialClones, byAnAgent };
