import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitEnvironment } from "../git/git-environment.ts";
import type { GitFolder } from "../git/git-folder.ts";
import { signalProcess } from "../runner/process-tree.ts";
import type { LfsSource } from "./find-lfs-source.ts";
import { createObjectsGitDir } from "./objects-git-dir.ts";

const timeoutMs = 15 * 60_000;
const maxErrorLength = 4000;
const drainAfterExitMs = 500;

/**
 * Downloads the LFS objects of a commit into the repository's store, with the user's git-lfs and settings. The program gets a git dir
 * with nothing but the objects, and an empty work tree: neither the repository's settings nor `.lfsconfig` can name a program or another
 * server. Returns the reason if it failed.
 */
export async function fetchLfsObjects(input: {
  folder: GitFolder;
  commit: string;
  source: LfsSource;
  /** Absolute path of git-lfs. */
  program: string;
  /** Terminates the download. */
  signal: AbortSignal;
}): Promise<string | undefined> {
  const { folder, commit, source, program, signal } = input;
  const path = await mkdtemp(join(tmpdir(), "skein-lfs-"));
  try {
    const [gitDir, workTree] = [join(path, "git"), join(path, "files")];
    await mkdir(workTree);
    await createObjectsGitDir(gitDir, folder);
    const format = folder.objectFormat === "sha256" ? ["[extensions]", "\tobjectFormat = sha256"] : [];
    const version = `\trepositoryFormatVersion = ${format.length > 0 ? 1 : 0}`;
    await writeFile(join(gitDir, "config"), ["[core]", version, ...format, ""].join("\n"));
    const config = [
      [source.setting, source.url],
      // git-lfs requires the remote to exist
      ...(source.setting === "remote.origin.url" ? [] : [["remote.origin.url", source.url] as const]),
      ["lfs.storage", join(folder.commonDir, "lfs")],
    ] as const;
    const env = gitEnvironment({ gitDir, workTree, settings: "user", network: "remote", config });
    return await run(program, ["fetch", "origin", commit], { cwd: workTree, env }, signal);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** Runs in its own session, so that ssh cannot prompt in the server's terminal. */
function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
  stop: AbortSignal,
): Promise<string | undefined> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  if (signal.aborted) return Promise.resolve("stopped");
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"], detached: true });
    let errors = "";
    const end = (): void => {
      if (child.pid !== undefined) signalProcess(-child.pid, "SIGKILL");
    };
    signal.addEventListener("abort", end, { once: true });
    const finish = (failure: string | undefined): void => {
      signal.removeEventListener("abort", end);
      child.stderr.destroy();
      resolve(failure);
    };
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-maxErrorLength);
    });
    child.once("error", (error) => finish(error.message));
    const settle = (exitCode: number | null): void => {
      if (exitCode === 0) finish(undefined);
      else if (stop.aborted) finish("stopped");
      else finish(signal.aborted ? `it did not finish within ${timeoutMs / 60_000} minutes` : describe(errors));
    };
    child.once("close", settle);
    // a connection that ssh keeps open also holds stderr
    child.once("exit", (exitCode) => setTimeout(settle, drainAfterExitMs, exitCode));
  });
}

/** The first line that describes the failure, without control characters and passwords. */
function describe(errors: string): string {
  const lines = errors.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  const informative = lines.filter((one) => /error|fatal|failed|denied|not (?:found|exist)|unable/i.test(one));
  // the last line only repeats that it failed
  const line = informative.find((one) => !one.includes("failed to fetch some objects")) ?? informative[0] ?? lines.at(-1) ?? "it failed";
  return line
    .replace(/[\p{C}]/gu, "")
    .replace(/(:\/\/[^:@/\s]*):[^@/\s]*@/g, "$1:***@")
    .slice(0, 300);
}
