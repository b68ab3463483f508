import { type GitFailure, runInGitThread } from "./git-thread.ts";

export class GitError extends Error {
  override readonly name = "GitError";
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(args: readonly string[], { exitCode, stderr, message }: GitFailure) {
    super(`git ${args[0] ?? ""} failed: ${stderr.trim() || message}`);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export interface GitOptions {
  cwd: string;
  /** Beside the fixed ones: an index of its own, for one. */
  environment?: Record<string, string>;
  /** Of `blankFilters`, for several calls in a row; asked for with each call otherwise. */
  filters?: readonly string[];
  maxBytes?: number;
}

/**
 * Runs git without running anything of the repository: no hooks, no fsmonitor, no filters, no external diff, no
 * credential prompts, no pager (X9). Filter drivers are blanked by name, so their names are asked for first.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<string> {
  const filters = looksIntoNoFile.has(args[0] ?? "") ? [] : (options.filters ?? (await blankFilters(options.cwd)));
  return execGit(filters, args, options);
}

/**
 * No filter can run in these, so they do without the question, which is a process of its own.
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

/** Settings that take every filter of the repository its power. */
export async function blankFilters(cwd: string): Promise<string[]> {
  const names = await execGit([], ["config", "--name-only", "--get-regexp", "-z", "^filter\\."], { cwd }).catch(() => "");
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

async function execGit(settings: readonly string[], args: readonly string[], options: GitOptions): Promise<string> {
  const result = await runInGitThread({
    args: [...hardening, ...settings, ...args],
    cwd: options.cwd,
    environment: gitEnvironment(options.environment),
    maxBytes: options.maxBytes ?? 64 * 1024 * 1024,
  });
  if ("stdout" in result) return result.stdout;
  throw new GitError(args, result.failure);
}
