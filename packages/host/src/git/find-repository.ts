import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GitError, runGit, tryGit } from "./run-git.ts";

/** Paths of a repository. */
export interface RepositoryDirs {
  /** The work tree. */
  directory: string;
  /** Git dir of this work tree: HEAD and the index. */
  gitDir: string;
  /** Git dir shared by all work trees: objects and branches. */
  commonDir: string;
  objectFormat: "sha1" | "sha256";
  refFormat: "files" | "reftable";
}

/** The nearest folder at or above `path` with a `.git`. Ignores `core.worktree`, which could name any other folder. */
export async function findTopFolder(path: string): Promise<string | undefined> {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((await lstat(join(folder, ".git")).catch(() => undefined)) !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Finds the repository of `directory`, which must contain a `.git`. Call it only before an agent has worked there: an agent could
 * point `.git` anywhere. Throws `GitError`.
 */
export async function findRepository(directory: string): Promise<RepositoryDirs> {
  const question = ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--show-object-format"];
  const answer = (await runGit(question, { cwd: directory, target: { workTree: directory } })).split("\n");
  const [gitDir = "", commonDir = "", objectFormat] = answer;
  if (answer.length !== 4) throw new Error(`The path of the git folder of ${directory} contains a line break.`);
  // git ignores an invalid `.git` and finds the repository above it
  const own = join(directory, ".git");
  if ((await stat(own)).isDirectory() && (await realpath(own)) !== (await realpath(gitDir))) {
    throw new GitError(question, { exitCode: null, stdout: "", stderr: "", message: `${own} is not a git repository.` });
  }
  const common = await realpath(commonDir);
  // `--file` and `--no-includes`: read this file only
  const question2 = ["config", "--file", join(common, "config"), "--no-includes", "--get", "extensions.refstorage"];
  const refFormat = await tryGit(question2, { cwd: common });
  return {
    directory,
    gitDir: await realpath(gitDir),
    commonDir: common,
    objectFormat: objectFormat === "sha256" ? "sha256" : "sha1",
    refFormat: refFormat === "reftable" ? "reftable" : "files",
  };
}
