import { execFile } from "node:child_process";

export class GitError extends Error {
  override readonly name = "GitError";
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(args: readonly string[], exitCode: number | null, stderr: string, cause: unknown) {
    super(`git ${args[0] ?? ""} failed: ${stderr.trim() || String(cause)}`, { cause });
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export interface GitOptions {
  cwd: string;
  /** Beside the fixed ones: an index of its own, for one. */
  environment?: Record<string, string>;
  maxBytes?: number;
  signal?: AbortSignal;
}

/**
 * Runs git without running anything of the repository: no hooks, no fsmonitor, no filters, no external diff, no
 * credential prompts, no pager (X9). Filter drivers are blanked by name, so their names are asked for first.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<string> {
  const blanked = looksIntoNoFile.has(args[0] ?? "") ? [] : await blankedFilters(options.cwd);
  return execGit([...hardening, ...blanked, ...args], options);
}

/**
 * No filter can run in these. To start a process blocks the server for some milliseconds: they do without the question.
 * Whatever writes an index is not among them: it looks again into files that are as young as the index.
 */
const looksIntoNoFile: ReadonlySet<string> = new Set(["rev-parse", "symbolic-ref", "update-ref"]);

const hardening = [
  "--no-pager",
  "--literal-pathspecs",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.quotePath=false", "diff.external=", "gc.auto=0"].flatMap((setting) => [
    "-c",
    setting,
  ]),
];

async function blankedFilters(cwd: string): Promise<string[]> {
  const names = await execGit([...hardening, "config", "--name-only", "--get-regexp", "-z", "^filter\\."], { cwd }).catch(() => "");
  const drivers = new Set(names.split("\0").flatMap((name) => /^filter\.(.+)\.[^.]+$/s.exec(name)?.[1] ?? []));
  return [...drivers].flatMap((driver) =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((setting) => ["-c", `filter.${driver}.${setting}`]),
  );
}

/** Git's own variables of the caller would point it at another repository. */
function gitEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name, value]) => value !== undefined && !name.startsWith("GIT_"));
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ATTR_NOSYSTEM: "1",
    LC_ALL: "C",
    ...extra,
  };
}

function execGit(args: readonly string[], options: GitOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      "git",
      [...args],
      {
        cwd: options.cwd,
        env: gitEnvironment(options.environment),
        maxBuffer: options.maxBytes ?? 64 * 1024 * 1024,
        encoding: "utf8",
        shell: false,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new GitError(args, typeof error.code === "number" ? error.code : null, stderr, error));
      },
    ).stdin?.end();
  });
}
