import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { findStorageFault, type StorageFault } from "@skein/contracts";
import { type GitTarget, gitEnvironment } from "./git-environment.ts";
import { type GitFailure, runInGitThread } from "./git-thread.ts";

export class GitError extends Error {
  override readonly name = "GitError";
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** System error code if git could not be started. */
  readonly code: string | undefined;
  /** The fault of the disk, if git reports only that it could not write. */
  declare readonly failure?: StorageFault;

  constructor(args: readonly string[], { exitCode, stdout, stderr, message, code }: GitFailure, cwd?: string) {
    super(`git ${args[0] ?? ""} failed: ${stderr.trim() || message}`);
    const failure = findFullDisk(stderr, cwd);
    if (failure !== undefined) this.failure = failure;
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
    this.code = code;
  }
}

/** Git has removed what it could write by the time it ends. */
const almostFullBytes = 256 * 1024;

/** For some writes git does not print the system's reason, such as for refs. */
function findFullDisk(stderr: string, cwd: string | undefined): StorageFault | undefined {
  const [found, file] = /(?:couldn't|could not|unable to|failed to) write(?: [\w ]*)?(?:'([^']+)')?/i.exec(stderr) ?? [];
  const folder = file === undefined ? cwd : dirname(file);
  if (found === undefined || folder === undefined) return undefined;
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    if (files > 0 && ffree === 0) return "out-of-inodes";
    return bavail * bsize < almostFullBytes ? "disk-full" : undefined;
  } catch {
    return undefined;
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
 * Runs git without running any program of the repository (X9). Throws `GitError` if git fails, prints more than `maxBytes` or takes
 * longer than `timeoutMs`: a named pipe in place of a file would block git forever.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<string> {
  return (await execGit(args, options, false)).stdout;
}

/** Like `runGit`, but truncates a longer output to `maxBytes`. */
export function runGitBounded(args: readonly string[], options: GitOptions): Promise<{ stdout: string; truncated: boolean }> {
  return execGit(args, options, true);
}

/** Like `runGit`, trimmed; null if git fails. Throws on machine faults such as a full disk. */
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
  if ("failure" in result) throw new GitError(args, result.failure, cwd);
  return result;
}
