import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GitError, runGit, tryGit } from "./run-git.ts";

/** Where the parts of a repository are. */
export interface RepositoryDirs {
  /** The files. */
  directory: string;
  /** What belongs to this work tree alone: HEAD and the index. */
  gitDir: string;
  /** Objects and branches, which all work trees share. */
  commonDir: string;
  objectFormat: "sha1" | "sha256";
  refFormat: "files" | "reftable";
}

/** The nearest folder at or above `path` with a `.git`. A repository's `core.worktree` could name any other folder. */
export async function findTopFolder(path: string): Promise<string | undefined> {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((await lstat(join(folder, ".git")).catch(() => undefined)) !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Looks a repository up in the folder `directory`, which has a `.git`. Only for a folder in which no agent has worked yet:
 * whoever writes there can make `.git` lead anywhere. Throws `GitError`.
 */
export async function findRepository(directory: string): Promise<RepositoryDirs> {
  const question = ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--show-object-format"];
  const answer = (await runGit(question, { cwd: directory, target: { workTree: directory } })).split("\n");
  const [gitDir = "", commonDir = "", objectFormat] = answer;
  if (answer.length !== 4) throw new Error(`The path of the git folder of ${directory} has a line break.`);
  // of a `.git` that is no repository git takes no notice, and finds the one above
  const own = join(directory, ".git");
  if ((await stat(own)).isDirectory() && (await realpath(own)) !== (await realpath(gitDir))) {
    throw new GitError(question, { exitCode: null, stdout: "", stderr: "", message: `${own} is not a git repository.` });
  }
  const common = await realpath(commonDir);
  // `--file` and `--no-includes`: one file is read, and nothing that it refers to
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
