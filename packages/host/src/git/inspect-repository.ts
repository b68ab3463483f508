import { access, constants, realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { ProblemText } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { expandHome } from "../folders/home-path.ts";
import { findRepository, findTopFolder, type RepositoryDirs } from "./find-repository.ts";
import { GitError, runGit } from "./run-git.ts";

/** Finds the repository that contains `path`. Throws a `ServiceError` that explains how to fix the problem. */
export async function inspectRepository(path: string): Promise<RepositoryDirs> {
  const expanded = expandHome(path);
  if (!isAbsolute(expanded)) {
    throw invalid({ code: "path-not-absolute", path });
  }
  const real = await resolveFolder(expanded);
  try {
    const top = await findTopFolder(real);
    if (top !== undefined) return await findRepository(top);
    // a bare repository, or none: git's message distinguishes them
    await runGit(["rev-parse", "--show-toplevel"], { cwd: real });
    throw invalid({ code: "not-a-repository", path });
  } catch (error) {
    throw error instanceof GitError ? explainGitError(real, error) : error;
  }
}

async function resolveFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if (!(await stat(real)).isDirectory()) {
      throw invalid({ code: "path-not-a-folder", path });
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
      return invalid({ code: "path-not-found", path });
    case "EACCES":
    case "EPERM":
      return invalid({ code: "path-unreadable", path });
    default:
      return invalid({ code: "path-unusable", path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

export function explainGitError(path: string, error: GitError): ServiceError {
  if (error.code === "ENOENT") {
    return new ServiceError("unavailable", { code: "git-missing" });
  }
  if (error.stderr.includes("dubious ownership")) {
    return invalid({ code: "repository-owned-by-another", path });
  }
  if (error.stderr.includes("must be run in a work tree")) {
    return invalid({ code: "bare-repository", path });
  }
  if (/unknown repository extension|Expected git repo version/i.test(error.stderr)) {
    const [, extension] = /unknown repository extensions? found:\s*(\S+)/i.exec(error.stderr) ?? [];
    return invalid({ code: "repository-format-unsupported", path, ...(extension === undefined ? {} : { extension }) });
  }
  return invalid({ code: "not-a-repository", path }, error);
}

function invalid(text: ProblemText, cause?: unknown): ServiceError {
  return new ServiceError("invalid", text, cause === undefined ? {} : { cause });
}
