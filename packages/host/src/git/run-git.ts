import { findStorageFault } from "@skein/contracts";
import { type GitTarget, gitEnvironment } from "./git-environment.ts";
import { type GitFailure, runInGitThread } from "./git-thread.ts";

export class GitError extends Error {
  override readonly name = "GitError";
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it could not be started: a code of the system. */
  readonly code: string | undefined;

  constructor(args: readonly string[], { exitCode, stdout, stderr, message, code }: GitFailure) {
    super(`git ${args[0] ?? ""} failed: ${stderr.trim() || message}`);
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
    this.code = code;
  }
}

export interface GitOptions {
  cwd: string;
  target?: GitTarget;
  input?: string;
  maxBytes?: number;
  timeoutMs?: number;
  encoding?: "utf8" | "latin1";
}

/**
 * Runs git without running anything of the repository (X9). Throws `GitError` when it fails, gets longer than `maxBytes` or
 * takes longer than `timeoutMs`: a named pipe in the place of a file would keep git waiting forever.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<string> {
  return (await execGit(args, options, false)).stdout;
}

/** Like `runGit`, with the first `maxBytes` of a longer output. */
export function runGitBounded(args: readonly string[], options: GitOptions): Promise<{ stdout: string; truncated: boolean }> {
  return execGit(args, options, true);
}

/** `runGit`, trimmed, or null where git fails. A fault of the machine is no answer: it throws. */
export async function tryGit(args: readonly string[], options: GitOptions): Promise<string | null> {
  try {
    return (await runGit(args, options)).trim();
  } catch (error) {
    if (error instanceof GitError && !isFault(error)) return null;
    throw error;
  }
}

function isFault(error: GitError): boolean {
  const fault = findStorageFault(error);
  return fault !== undefined && fault !== "no-permission";
}

const mib = 1024 * 1024;

async function execGit(
  args: readonly string[],
  { cwd, target, input = "", maxBytes = 64 * mib, timeoutMs = 120_000, encoding = "utf8" }: GitOptions,
  keepTruncated: boolean,
): Promise<{ stdout: string; truncated: boolean }> {
  const result = await runInGitThread({
    args: ["--no-pager", "--literal-pathspecs", ...args],
    environment: gitEnvironment(target),
    ...{ cwd, input, maxBytes, timeoutMs, encoding, keepTruncated },
  });
  if ("failure" in result) throw new GitError(args, result.failure);
  return result;
}
