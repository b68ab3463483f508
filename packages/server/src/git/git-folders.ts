import { join } from "node:path";
import type { Attempt, AttemptId, Project, ProjectId } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import {
  createOwnGitDir,
  findRepository,
  findWorktreeGitDir,
  type GitFolder,
  openBase,
  type RepositoryDirs,
  readOwnGitDir,
  removeOwnGitDir,
} from "@skein/host";

/** Our git dirs for projects and attempts, in `<data dir>/git`. */
export interface GitFolders {
  /** Where the git dir of an attempt or project is, whether or not it was made. */
  ownDir(id: AttemptId | ProjectId): string;
  /** When a project is added: from then on its repository is where it is now, whatever its `.git` says later. */
  rememberProject(id: ProjectId, dirs: RepositoryDirs): Promise<void>;
  /** Throws when the repository of a project that an earlier release added is gone. */
  ofProject(project: Pick<Project, "id" | "path">): Promise<GitFolder>;
  /** Throws when the repository does not know the worktree. */
  ofAttempt(attempt: Attempt): Promise<GitFolder>;
  /** Before an agent works in place: what the folder's files are now is read once. */
  prepareInPlace(attempt: Attempt): Promise<void>;
  forget(id: AttemptId | ProjectId): Promise<void>;
}

export function createGitFolders({ home, reader }: { home: string; reader: StorageReader }): GitFolders {
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

  async function findProject({ taskId }: Attempt): Promise<Project> {
    const task = await reader.findTask({ id: taskId });
    const project = task && (await reader.findProject({ id: task.projectId }));
    if (project === undefined) throw new Error("The task of this attempt was deleted.");
    return project;
  }

  /** For attempts of earlier releases, and those in place. */
  async function findDirs(attempt: Attempt): Promise<RepositoryDirs> {
    const repository = await ofProject(await findProject(attempt));
    if (attempt.isolation === "in-place") return repository;
    const gitDir = await findWorktreeGitDir(repository, attempt.directory);
    if (gitDir === undefined) throw new Error(`The repository ${repository.directory} does not know the worktree ${attempt.directory}.`);
    return { ...repository, directory: attempt.directory, gitDir };
  }

  const ofAttempt: GitFolders["ofAttempt"] = (attempt) => open(attempt.id, () => findDirs(attempt));

  return {
    ownDir,
    ofProject,
    ofAttempt,
    rememberProject: async (id, dirs) => void (await createOwnGitDir(ownDir(id), dirs)),
    async prepareInPlace(attempt) {
      await openBase(await ofAttempt(attempt), attempt.baseCommit);
    },
    forget: (id) => removeOwnGitDir(ownDir(id)),
  };
}
