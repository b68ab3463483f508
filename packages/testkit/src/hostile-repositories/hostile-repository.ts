import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A real repository that tries to make git start a program, and that program, which leaves a trace whenever it starts. */
export interface HostileRepository {
  /** The work tree, on branch `main`. */
  readonly path: string;
  /** A folder next to it, for files outside the repository. */
  readonly outside: string;
  /** The program. It copies stdin to stdout, so that it also works as a filter. */
  readonly canary: string;
  /** The same, for places where git would wait for an answer. */
  readonly silent: string;
  /** What started it, one line each; empty when nothing did. */
  fired(): string;
  forgetTrace(): void;
}

/** `under`: the folder in which it is created, by default the temporary folder. It must allow programs to run. */
export function newHostileRepository(under: string = tmpdir()): HostileRepository {
  const outside = realpathSync(mkdtempSync(join(under, "skein-hostile-")));
  const path = join(outside, "repository");
  const trace = join(outside, "trace");
  const canary = join(outside, "canary.sh");
  const silent = join(outside, "silent.sh");
  writeProgram(silent, `echo "$0 $*" >> '${trace}'\nexit 1`);
  writeProgram(canary, `echo "$0 $*" >> '${trace}'\nexec cat`);
  copyRepository(path, { "a.txt": "one\ntwo\nthree\n", "dir/b.txt": "b\n" });
  return {
    ...{ path, outside, canary, silent },
    fired: () => (existsSync(trace) ? readFileSync(trace, "utf8") : ""),
    forgetTrace: () => rmSync(trace, { force: true }),
  };
}

const models = new Map<string, string>();

/** A repository with these files in one commit. It is created once, then copied: starting git costs more than copying the files. */
export function copyRepository(path: string, files: Record<string, string>): void {
  const key = JSON.stringify(files);
  let model = models.get(key);
  if (model === undefined) {
    model = realpathSync(mkdtempSync(join(tmpdir(), "skein-hostile-model-")));
    runGit(model, "init", "--quiet", "--initial-branch=main", "--template=");
    writeFiles(model, files);
    commitAll(model);
    models.set(key, model);
  }
  cpSync(model, path, { recursive: true });
}

/** Plain git, as a user or an agent runs it. Throws when it fails. */
export function runGit(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  return execFileSync("git", [...identity, ...args], {
    ...{ cwd, encoding: "utf8", input: "", stdio: ["pipe", "pipe", "ignore"], timeout: 20_000 },
    // an installed Git LFS would look for objects that do not exist
    env: { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_LFS_SKIP_SMUDGE: "1" },
  });
}

/** Runs git and ignores failures. */
export function tryGit(cwd: string, ...args: string[]): void {
  try {
    runGit(cwd, ...args);
  } catch {
    // a program that does not act as a filter, remote or editor makes git fail after it has run
  }
}

export function writeProgram(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

export function writeFiles(directory: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
}

/** Without the settings of other traps: setting one must not trigger another. */
export function commitAll(directory: string, ...prepare: string[][]): void {
  const settings = join(directory, ".git/config");
  const before = readFileSync(settings, "utf8");
  writeFileSync(settings, "[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n\thooksPath = /dev/null\n");
  for (const args of prepare) runGit(directory, ...args);
  if (prepare.length === 0) runGit(directory, "add", "--all");
  runGit(directory, "commit", "--quiet", "--allow-empty", "--message", "more");
  writeFileSync(settings, before);
}

/** Appends to the repository's own settings as text, since names may contain any character. */
export function appendSettings(repository: { path: string }, text: string): void {
  appendFileSync(join(repository.path, ".git/config"), `${text}\n`);
}

/** One file with its own attributes, committed before the settings give them a meaning. */
export function commitFileWithAttributes({ path }: { path: string }, name: string, attributes: string): void {
  writeFileSync(join(path, name), `${name}\n`);
  appendFileSync(join(path, ".gitattributes"), `${name} ${attributes}\n`);
  commitAll(path);
}
