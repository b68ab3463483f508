import { existsSync } from "node:fs";
import { readdir, realpath, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { attemptIdSchema, executionIdSchema, projectIdSchema } from "@skein/contracts";
import type { Storage, StorageReader } from "@skein/engine";
import { killRunner } from "../executions/execution-supervisor.ts";
import { readRunnerIdentity } from "../executions/runner-files.ts";
import type { GitFolder } from "../git/git-folder.ts";
import type { GitFolders } from "../git/git-folders.ts";
import { forgetWorktree, removeOrphanWorktree } from "../git/worktrees.ts";
import type { Logger } from "../logger.ts";
import { pruneTrustedContents } from "../repository/trusted-contents.ts";
import { removeCgroup } from "../runner/execution-cgroup.ts";
import { executionFolder } from "../runner/execution-folder.ts";
import { killExecutionProcesses } from "../runner/process-tree.ts";
import { outputFolder } from "./outputs.ts";
import { removeExecutionFolder } from "./remove-attempts.ts";

/** An attempt or project is stored after its folders have been made: a younger folder may belong to one that is just being created. */
const orphanAfterMs = 10 * 60_000;

/**
 * Removes what a server that was killed left in the data dir and nothing refers to any more. What may hold somebody's work
 * stays: a worktree with changes or with commits of its own.
 */
export async function tidyDataDir(input: {
  storage: Storage;
  gitFolders: GitFolders;
  home: string;
  logger: Logger;
  now(): number;
}): Promise<void> {
  const { storage, home } = input;
  await tidyExecutions(storage.read, home);
  await tidySockets(storage.read, home);
  await tidyWorktrees(input);
  await tidyGitDirs(input);
  await pruneTrustedContents(home, { isOld: (changedAt) => input.now() - changedAt >= orphanAfterMs });
}

/** Of attempts and projects that are no more. */
async function tidyGitDirs({ storage: { read }, gitFolders, home, now }: Parameters<typeof tidyDataDir>[0]): Promise<void> {
  for (const name of await list(join(home, "git"))) {
    const attemptId = attemptIdSchema.safeParse(name).data;
    const projectId = projectIdSchema.safeParse(name).data;
    const isKnown =
      (attemptId && (await read.findAttempt({ id: attemptId }))) ?? (projectId && (await read.findProject({ id: projectId })));
    const id = attemptId ?? projectId;
    if (id === undefined || isKnown !== undefined || now() - (await stat(join(home, "git", name))).ctimeMs < orphanAfterMs) continue;
    await gitFolders.forget(id);
  }
}

async function tidyExecutions(reader: StorageReader, home: string): Promise<void> {
  const names = new Set([...(await list(join(home, "executions"))), ...(await list(outputFolder(home)))]);
  for (const name of names) {
    const { data: id } = executionIdSchema.safeParse(name);
    if (id === undefined || (await reader.findExecution({ id })) !== undefined) continue;
    // deleted while its runner could not be reached
    const folder = executionFolder(join(home, "executions", id));
    await killRunner(folder);
    const cgroup = (await readRunnerIdentity(folder))?.cgroup;
    await killExecutionProcesses({ executionId: id, cgroup });
    if (cgroup !== undefined) removeCgroup(cgroup, id);
    await removeExecutionFolder(home, id);
  }
}

/** A runner that was killed leaves its socket. */
async function tidySockets(reader: StorageReader, home: string): Promise<void> {
  for (const name of await list(join(home, "run"))) {
    const { data: id } = executionIdSchema.safeParse(name.replace(/\.sock$/, ""));
    const execution = id && (await reader.findExecution({ id }));
    if (id !== undefined && execution?.status !== "running") await unlink(join(home, "run", name)).catch(() => {});
  }
}

async function tidyWorktrees({ storage, gitFolders, home, logger, now }: Parameters<typeof tidyDataDir>[0]): Promise<void> {
  const root = await realpath(join(home, "worktrees")).catch(() => undefined);
  if (root === undefined) return;
  const known = new Set<string>();
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
    const directory = join(root, name);
    if (known.has(directory) || now() - (await stat(directory)).ctimeMs < orphanAfterMs) continue;
    const removed = await removeOrphanWorktree({ root, directory, repositories, ownDir: join(home, "git", `orphan-${name}`) });
    logger.info(removed ? "a worktree that nothing refers to was removed" : "a worktree that nothing refers to was left alone", {
      directory,
    });
  }
}

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
