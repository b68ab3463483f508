import { join } from "node:path";
import type { AttemptId, ProjectId } from "@skein/contracts";
import { findRepository, type RepositoryDirs } from "../git/find-repository.ts";
import type { GitFolder } from "../git/git-folder.ts";
import { createOwnGitDir, readOwnGitDir, removeOwnGitDir } from "../git/own-git-dir.ts";
import { findWorktreeGitDir } from "../git/worktrees.ts";
import type { AttemptFolder, ProjectFolder } from "../port/workspaces.ts";

/** Our git dirs for projects and attempts, in `<data dir>/git`. */
export interface GitFolders {
  /** The parent folder of all git dirs. */
  readonly root: string;
  /** Path of the git dir of an attempt or project, whether or not it exists. */
  ownDir(id: AttemptId | ProjectId): string;
  /** Records the repository of a new project. From then on its `.git` is not read again. */
  rememberProject(id: ProjectId, dirs: RepositoryDirs): Promise<void>;
  /** Throws if the project was added by an earlier release and its repository is gone. */
  ofProject(project: ProjectFolder): Promise<GitFolder>;
  /** Throws if the repository has no record of the worktree. */
  ofAttempt(attempt: AttemptFolder): Promise<GitFolder>;
  forget(id: AttemptId | ProjectId): Promise<void>;
}

export function createGitFolders(root: string): GitFolders {
  const ownDir = (id: AttemptId | ProjectId): string => join(root, id);
  const opening = new Map<string, Promise<GitFolder>>();

  /** Concurrent calls for the same id share one creation. */
  function open(id: AttemptId | ProjectId, find: () => Promise<RepositoryDirs>): Promise<GitFolder> {
    const opened =
      opening.get(id) ??
      readOwnGitDir(ownDir(id))
        .then(async (known) => known ?? createOwnGitDir(ownDir(id), await find()))
        .finally(() => opening.delete(id));
    opening.set(id, opened);
    return opened;
  }

  const ofProject: GitFolders["ofProject"] = ({ id, path }) => open(id, () => findRepository(path));

  /** For attempts of earlier releases, and in-place attempts. */
  async function findDirs({ project, isolation, directory }: AttemptFolder): Promise<RepositoryDirs> {
    const repository = await ofProject(project);
    if (isolation === "in-place") return repository;
    const gitDir = await findWorktreeGitDir(repository, directory);
    if (gitDir === undefined) throw new Error(`The repository ${repository.directory} has no record of the worktree ${directory}.`);
    return { ...repository, directory, gitDir };
  }

  return {
    root,
    ownDir,
    ofProject,
    ofAttempt: (attempt) => open(attempt.id, () => findDirs(attempt)),
    rememberProject: async (id, dirs) => void (await createOwnGitDir(ownDir(id), dirs)),
    forget: (id) => removeOwnGitDir(ownDir(id)),
  };
}
