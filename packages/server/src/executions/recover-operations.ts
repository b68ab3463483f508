import { type Attempt, attemptIdSchema, type Landing, type Project, projectIdSchema } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import type { AttemptFolder, RecoveredOperation } from "@skein/host";
import { getAttemptFolder } from "./attempt-folder.ts";
import { changeTaskStatus } from "./change-task-status.ts";
import type { HostedContext } from "./execution-context.ts";

/**
 * Completes operations on branches that were killed or failed halfway, and records what they did. With `folder`, only those of its attempt
 * and project. Returns what was found.
 */
export async function recoverOperations(
  context: Pick<HostedContext, "storage" | "host" | "logger" | "now">,
  folder?: AttemptFolder,
): Promise<RecoveredOperation[]> {
  const { storage, host, logger } = context;
  const unfinished = await host.workspaces.listUnfinished();
  const ids = folder === undefined ? unfinished : unfinished.filter((id) => id === folder.id || id === folder.project.id);
  if (ids.length === 0) return [];
  const attempts: AttemptFolder[] = [];
  const projects: Project[] = [];
  for (const id of ids) {
    const [attemptId, projectId] = [attemptIdSchema.safeParse(id), projectIdSchema.safeParse(id)];
    const attempt = attemptId.success ? await storage.read.findAttempt({ id: attemptId.data }) : undefined;
    if (attempt !== undefined) attempts.push(await getAttemptFolder(context, attempt));
    const project = projectId.success ? await storage.read.findProject({ id: projectId.data }) : undefined;
    if (project !== undefined) projects.push(project);
  }
  const recovered = await host.workspaces.recoverOperations({ attempts, projects });
  for (const { operation, outcome } of recovered) {
    logger.info("an operation that was cut off has been looked at", { kind: operation.kind, outcome });
    const attempt = await storage.read.findAttempt({ id: operation.attemptId });
    if (attempt === undefined) continue;
    const { id: attemptId, taskId } = attempt;
    await storage.transaction(async (tx) => {
      if (outcome === "completed" && operation.landing !== null) await saveLanding(tx, attempt, operation.landing, context.now());
      await tx.appendEvent({ type: "git:changed", taskId, attemptId }, context.now());
    });
  }
  return recovered;
}

/** The task is done; its worktree stays until it is removed. */
export async function saveLanding(tx: StorageTransaction, attempt: Attempt, landing: Landing, at: number): Promise<void> {
  await tx.putLanding({ attemptId: attempt.id, landing });
  const task = await tx.findTask({ id: attempt.taskId });
  if (task !== undefined && task.status !== "done") await changeTaskStatus(tx, { task, status: "done", at });
}
