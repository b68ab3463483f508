import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { gitEnvironment } from "./git-environment.ts";
import { type GitFolder, runOwnGit } from "./git-folder.ts";
import { GitError } from "./run-git.ts";

const maxErrorBytes = 8000;
const maxTips = 2000;

/** Commits that the refs of a repository name, the newest first. */
export async function listTips(repository: GitFolder): Promise<string[]> {
  const output = await runOwnGit(repository, [
    "for-each-ref",
    "--sort=-creatordate",
    `--count=${maxTips}`,
    "--format=%(objecttype) %(objectname)",
  ]);
  const commits = output.split("\n").flatMap((line) => (line.startsWith("commit ") ? [line.slice("commit ".length)] : []));
  return [...new Set(commits)];
}

/** Those of `ids` that the repository does not have. */
export async function findMissing(repository: GitFolder, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids)].filter(isObjectId);
  if (wanted.length === 0) return [];
  const output = await runOwnGit(repository, ["cat-file", "--batch-check=%(objectname)"], { input: `${wanted.join("\n")}\n` });
  return output.split("\n").flatMap((line) => (line.endsWith(" missing") ? [line.slice(0, -" missing".length)] : []));
}

/** The objects of `wants` and everything they refer to, except what `haves` refer to. */
export async function* readPack(
  repository: GitFolder,
  { wants, haves }: { wants: readonly string[]; haves: readonly string[] },
): AsyncGenerator<Uint8Array> {
  const unknown = new Set(await findMissing(repository, haves));
  const known = haves.filter((id) => isObjectId(id) && !unknown.has(id));
  const args = ["pack-objects", "--revs", "--stdout", "--thin", "--delta-base-offset", "--quiet"];
  const child = startGit(repository, args);
  child.stdin.on("error", () => {}); // its exit reports why
  child.stdin.end([...wants.filter(isObjectId), "--not", ...known, ""].join("\n"));
  const ended = watchEnd(child, args);
  ended.catch(() => {});
  try {
    for await (const chunk of child.stdout) yield chunk;
    await ended;
  } finally {
    child.kill();
  }
}

/** Adds the objects of a pack. Git checks its integrity. */
export async function storePack(repository: GitFolder, pack: AsyncIterable<Uint8Array>): Promise<void> {
  const args = ["index-pack", "--stdin", "--fix-thin"];
  const child = startGit(repository, args);
  child.stdout.resume();
  const ended = watchEnd(child, args);
  ended.catch(() => {});
  child.stdin.on("error", () => {}); // its exit reports why
  try {
    for await (const chunk of pack) {
      if (child.exitCode !== null || child.stdin.destroyed) break;
      if (!child.stdin.write(chunk)) await Promise.race([once(child.stdin, "drain"), ended]);
    }
    child.stdin.end();
    await finished(child.stdin).catch(() => {});
    await ended;
  } finally {
    child.kill();
  }
}

/** Throws unless the repository has the objects with everything they refer to. */
export async function assertComplete(repository: GitFolder, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)].filter(isObjectId);
  if (wanted.length === 0) return;
  // not the HEAD of other worktrees: while git makes one, it names no object
  const args = ["rev-list", "--objects", "--quiet", "--stdin", "--single-worktree", "--not", "--all"];
  await runOwnGit(repository, args, { input: `${wanted.join("\n")}\n`, timeoutMs: 20 * 60_000 });
}

function isObjectId(id: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id);
}

/** Not in the thread for git: packs are streamed. */
function startGit({ ownDir, directory }: GitFolder, args: readonly string[]) {
  const env = gitEnvironment({ gitDir: ownDir, workTree: directory, index: join(ownDir, "index") });
  return spawn("git", ["--no-pager", ...args], { cwd: directory, env, stdio: ["pipe", "pipe", "pipe"] });
}

function watchEnd(child: ReturnType<typeof startGit>, args: readonly string[]): Promise<void> {
  let errors = Buffer.alloc(0);
  child.stderr.on("data", (chunk: Buffer) => {
    errors = Buffer.concat([errors, chunk]).subarray(-maxErrorBytes);
  });
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new GitError(args, { exitCode: null, stdout: "", stderr: "", message: error.message, ...(error.code && { code: error.code }) }),
      ),
    );
    child.once("close", (exitCode) => {
      if (exitCode === 0) resolve();
      else reject(new GitError(args, { exitCode, stdout: "", stderr: errors.toString("utf8"), message: `git ended with ${exitCode}` }));
    });
  });
}
