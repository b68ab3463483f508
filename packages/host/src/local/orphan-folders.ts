import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { attemptIdSchema, projectIdSchema } from "@skein/contracts";
import type { GitFolder } from "../git/git-folder.ts";
import { trashName } from "../git/worktree-trash.ts";
import { forgetWorktree, removeOrphanWorktree } from "../git/worktrees.ts";
import type { KnownFolders, OrphanWorktree } from "../port/workspaces.ts";
import { type DataFolders, listNames } from "./data-folders.ts";
import type { GitFolders } from "./git-folders.ts";

/** Removes worktrees and git dirs that nothing refers to. Keeps worktrees with changes or with commits of their own. */
export async function removeOrphans(
  { folders, gitFolders }: { folders: DataFolders; gitFolders: GitFolders },
  known: KnownFolders,
): Promise<OrphanWorktree[]> {
  const orphans = await removeOrphanWorktrees({ folders, gitFolders }, known);
  await removeOrphanGitDirs({ folders, gitFolders }, known);
  return orphans;
}

async function removeOrphanWorktrees(
  { folders, gitFolders }: { folders: DataFolders; gitFolders: GitFolders },
  { projects, attempts, worktreeNames, changedAfter }: KnownFolders,
): Promise<OrphanWorktree[]> {
  const root = await realpath(folders.worktrees).catch(() => undefined);
  if (root === undefined) return [];
  const known = new Set([...worktreeNames.map((name) => join(root, name)), ...attempts.map(({ directory }) => directory)]);
  const repositories = new Map<string, GitFolder>();
  for (const project of projects) {
    const repository = await gitFolders.ofProject(project).catch(() => undefined);
    if (repository !== undefined) repositories.set(project.id, repository);
  }
  for (const { isolation, directory, project } of attempts) {
    const repository = repositories.get(project.id);
    if (isolation === "worktree" && repository && !existsSync(directory)) await forgetWorktree(repository, directory);
  }
  const orphans: OrphanWorktree[] = [];
  for (const name of await listNames(root)) {
    if (name === trashName) continue;
    const directory = join(root, name);
    if (known.has(directory) || (await stat(directory)).ctimeMs > changedAfter) continue;
    const ownDir = join(folders.git, `orphan-${name}`);
    orphans.push({ directory, removed: await removeOrphanWorktree({ root, directory, repositories: [...repositories.values()], ownDir }) });
  }
  return orphans;
}

async function removeOrphanGitDirs(
  { folders, gitFolders }: { folders: DataFolders; gitFolders: GitFolders },
  { projects, attempts, ids, changedAfter }: KnownFolders,
): Promise<void> {
  const known = new Set<string>([...ids, ...projects.map(({ id }) => id), ...attempts.map(({ id }) => id)]);
  for (const name of await listNames(folders.git)) {
    const id = attemptIdSchema.safeParse(name).data ?? projectIdSchema.safeParse(name).data;
    if (id === undefined || known.has(id) || (await stat(join(folders.git, name))).ctimeMs > changedAfter) continue;
    await gitFolders.forget(id);
  }
}
