import { access, constants, realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { ServiceError } from "@skein/contracts";
import { expandHome } from "../folders/home-path.ts";
import { findRepository, findTopFolder, type RepositoryDirs } from "./find-repository.ts";
import { GitError, runGit } from "./run-git.ts";

/** The repository that `path` is in. Throws a `ServiceError` that says what the user can do. */
export async function inspectRepository(path: string): Promise<RepositoryDirs> {
  const expanded = expandHome(path);
  if (!isAbsolute(expanded)) {
    throw invalid("path-not-absolute", `“${path}” is a relative path. Give the whole path, starting with / or ~.`);
  }
  const real = await resolveFolder(expanded);
  try {
    const top = await findTopFolder(real);
    if (top !== undefined) return await findRepository(top);
    // a bare repository, or none: git says which
    await runGit(["rev-parse", "--show-toplevel"], { cwd: real });
    throw invalid("not-a-repository", `“${path}” is not a git repository.`);
  } catch (error) {
    throw error instanceof GitError ? explainGitError(real, error) : error;
  }
}

async function resolveFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if (!(await stat(real)).isDirectory()) {
      throw invalid("path-not-a-folder", `“${path}” is a file. Give the folder of a git repository.`);
    }
    await access(real, constants.R_OK | constants.X_OK);
    return real;
  } catch (error) {
    throw error instanceof ServiceError ? error : explainPathError(path, error);
  }
}

export function explainPathError(path: string, error: unknown): ServiceError {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return invalid("path-not-found", `There is no folder “${path}”. Check the spelling, or clone the repository there first.`);
    case "EACCES":
    case "EPERM":
      return invalid(
        "path-unreadable",
        `Skein may not read “${path}”. Give your user read access to it (ls -ld shows its owner), or choose another folder.`,
      );
    default:
      return invalid("path-unusable", `“${path}” cannot be used: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

export function explainGitError(path: string, error: GitError): ServiceError {
  if (error.code === "ENOENT") {
    return new ServiceError("unavailable", "git-missing", "git was not found. Install it, then try again.");
  }
  if (error.stderr.includes("dubious ownership")) {
    return invalid(
      "repository-owned-by-another",
      `git refuses “${path}” because another user owns it. If you trust it, run: git config --global --add safe.directory "${path}"`,
    );
  }
  if (error.stderr.includes("must be run in a work tree")) {
    return invalid("bare-repository", `“${path}” is a bare repository, without files to work on. Clone it, and add the clone.`);
  }
  if (/unknown repository extension|Expected git repo version/i.test(error.stderr)) {
    const [, extension] = /unknown repository extensions? found:\s*(\S+)/i.exec(error.stderr) ?? [];
    const what = extension === undefined ? "a newer format" : `the extension “${extension}”`;
    const hint = extension?.toLowerCase() === "refstorage" ? " (branches in the reftable format need git 2.45)" : "";
    return invalid(
      "repository-format-unsupported",
      `“${path}” uses ${what}, which the installed git does not support${hint}. Install a newer git, then try again.`,
    );
  }
  return invalid(
    "not-a-repository",
    `“${path}” is not a git repository. Run “git init” and make a first commit there, or choose another folder.`,
    error,
  );
}

function invalid(code: string, message: string, cause?: unknown): ServiceError {
  return new ServiceError("invalid", code, message, cause === undefined ? {} : { cause });
}
