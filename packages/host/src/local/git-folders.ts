import { join } from "node:path";
import type { AttemptId, ProjectId } from "@skein/contracts";
import { findRepository, type RepositoryDirs } from "../git/find-repository.ts";
import type { GitFolder } from "../git/git-folder.ts";
import { createOwnGitDir, readOwnGitDir, removeOwnGitDir } from "../git/own-git-dir.ts";
import { findWorktreeGitDir } from "../git/worktrees.ts";
import type { AttemptFolder, ProjectFolder } from "../port/workspaces.ts";

/** Our git dirs for projects and attempts, in `<data dir>/git`. */
export interface GitFolders {
  /** The folder that has all of them. */
  readonly root: string;
  /** Where the git dir of an attempt or project is, whether or not it was made. */
  ownDir(id: AttemptId | ProjectId): string;
  /** When a project is added: from then on its repository is where it is now, whatever its `.git` says later. */
  rememberProject(id: ProjectId, dirs: RepositoryDirs): Promise<void>;
  /** Throws when the repository of a project that an earlier release added is gone. */
  ofProject(project: ProjectFolder): Promise<GitFolder>;
  /** Throws when the repository does not know the worktree. */
  ofAttempt(attempt: AttemptFolder): Promise<GitFolder>;
  forget(id: AttemptId | ProjectId): Promise<void>;
}

export function createGitFolders({ home }: { home: string }): GitFolders {
  const root = join(home, "git");
  const ownDir = (id: AttemptId | ProjectId): string => join(root, id);
  const opening = new Map<string, Promise<GitFolder>>();

  /** Two that ask at once for what is not there yet share what is made. */
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

  /** For attempts of earlier releases, and those in place. */
  async function findDirs({ project, isolation, directory }: AttemptFolder): Promise<RepositoryDirs> {
    const repository = await ofProject(project);
    if (isolation === "in-place") return repository;
    const gitDir = await findWorktreeGitDir(repository, directory);
    if (gitDir === undefined) throw new Error(`The repository ${repository.directory} does not know the worktree ${directory}.`);
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
