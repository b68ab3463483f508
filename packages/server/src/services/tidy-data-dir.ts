import { existsSync } from "node:fs";
import { readdir, realpath, stat, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Attempt, attemptIdSchema, executionIdSchema, projectIdSchema } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { forgetWorktree, type GitFolder, removeOrphanWorktree, trashName } from "@skein/host";
import type { GitFolders } from "../git/git-folders.ts";
import type { Logger } from "../logger.ts";
import { pruneTrustedContents } from "../repository/trusted-contents.ts";
import type { Quarantine } from "./quarantine.ts";

/** An attempt or project is stored after its folders have been made: a younger folder may belong to one that is just being created. */
const orphanAfterMs = 10 * 60_000;

/**
 * Removes what a server that was killed left in the data dir and nothing refers to any more. What may hold somebody's work
 * stays: a worktree with changes or with commits of its own, and every log of an execution that was not deleted by the user.
 */
export async function tidyDataDir(input: {
  storage: Storage;
  gitFolders: GitFolders;
  quarantine: Quarantine;
  home: string;
  logger: Logger;
  now(): number;
}): Promise<void> {
  await input.quarantine.sweep();
  await tidySockets(input);
  await pruneTrustedContents(input.home, { isOld: (changedAt) => input.now() - changedAt >= orphanAfterMs });
  const { origins, isComplete } = await input.quarantine.listOrigins();
  // what a quarantined execution worked on is needed when it is recovered
  if (!isComplete) return;
  const attempts = origins.map(({ attempt }) => attempt);
  await tidyWorktrees(input, attempts);
  await tidyGitDirs(input, new Set<string>([...attempts.map(({ id }) => id), ...origins.map(({ project }) => project.id)]));
}

/** Of attempts and projects that are no more. */
async function tidyGitDirs(
  { storage: { read }, gitFolders, home, now }: Parameters<typeof tidyDataDir>[0],
  needed: ReadonlySet<string>,
): Promise<void> {
  for (const name of await list(join(home, "git"))) {
    const attemptId = attemptIdSchema.safeParse(name).data;
    const projectId = projectIdSchema.safeParse(name).data;
    const isKnown =
      (attemptId && (await read.findAttempt({ id: attemptId }))) ?? (projectId && (await read.findProject({ id: projectId })));
    const id = attemptId ?? projectId;
    if (
      id === undefined ||
      needed.has(id) ||
      isKnown !== undefined ||
      now() - (await stat(join(home, "git", name))).ctimeMs < orphanAfterMs
    )
      continue;
    await gitFolders.forget(id);
  }
}

/** A runner that was killed leaves its socket. */
async function tidySockets({ storage, quarantine, home }: Parameters<typeof tidyDataDir>[0]): Promise<void> {
  for (const name of await list(join(home, "run"))) {
    const { data: id } = executionIdSchema.safeParse(name.replace(/\.sock$/, ""));
    const execution = id && (await storage.read.findExecution({ id }));
    if (id !== undefined && !quarantine.isRunning(id) && execution?.status !== "running")
      await unlink(join(home, "run", name)).catch(() => {});
  }
}

async function tidyWorktrees(
  { storage, gitFolders, home, logger, now }: Parameters<typeof tidyDataDir>[0],
  needed: readonly Attempt[],
): Promise<void> {
  const root = await realpath(join(home, "worktrees")).catch(() => undefined);
  if (root === undefined) return;
  const known = new Set(needed.map(({ directory }) => join(root, basename(directory))));
  const repositories: GitFolder[] = [];
  for (const project of await storage.read.listProjects()) {
    const repository = await gitFolders.ofProject(project).catch(() => undefined);
    if (repository !== undefined) repositories.push(repository);
    for (const task of await storage.read.listTasks({ projectId: project.id })) {
      for (const { isolation, directory } of await storage.read.listAttempts({ taskId: task.id })) {
        known.add(directory);
        if (isolation === "worktree" && repository && !existsSync(directory)) await forgetWorktree(repository, directory);
      }
    }
  }
  for (const name of await list(root)) {
    if (name === trashName) continue;
    const directory = join(root, name);
    if (known.has(directory) || now() - (await stat(directory)).ctimeMs < orphanAfterMs) continue;
    const removed = await removeOrphanWorktree({ root, directory, repositories, ownDir: join(home, "git", `orphan-${name}`) });
    logger.info(removed ? "an unreferenced worktree was removed" : "an unreferenced worktree was kept", {
      directory,
    });
  }
}

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
