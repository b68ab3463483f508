import { readdir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type Attempt, createId, type ExecutionId } from "@skein/contracts";
import { noTotals } from "@skein/engine";
import { diffAgainstBase } from "../git/attempt-diff.ts";
import { toSlug } from "../git/slug.ts";
import { addWorktree, removeWorktree, resolveBase } from "../git/worktrees.ts";
import { copyTrustedFiles } from "../repository/prepare-worktree.ts";
import { exportAttempt } from "./export-attempt.ts";
import { getAttempt, getProject, getTask } from "./lookup.ts";
import { outputFolder } from "./outputs.ts";
import type { ServiceContext } from "./service-context.ts";
import { ServiceError } from "./service-error.ts";
import type { Services } from "./services.ts";

const nothingEnded = { totals: noTotals, lastEnd: null };

export function createAttemptService(context: ServiceContext): Services["attempts"] {
  const { storage, supervisor, now } = context;
  const worktreeRoot = join(context.home, "worktrees");

  /** Ended means saved too: its worktree may go after this. Messages that wait are not sent any more. */
  async function endExecutions(attempt: Attempt): Promise<void> {
    await storage.transaction(async (tx) => {
      for (const waiting of await tx.listQueuedMessages({ attemptId: attempt.id })) await tx.deleteQueuedMessage({ id: waiting.id });
    });
    for (const execution of await storage.read.listRunningExecutions({ attemptId: attempt.id })) {
      supervisor.stop(execution.id);
      await supervisor.waitUntilSettled(execution.id);
    }
  }

  return {
    async list(taskId) {
      await getTask(storage.read, taskId);
      const totals = await storage.read.listAttemptTotals({ taskId });
      return (await storage.read.listAttempts({ taskId })).map((attempt) => ({ ...attempt, ...(totals.get(attempt.id) ?? nothingEnded) }));
    },
    async get(id) {
      const attempt = await getAttempt(storage.read, id);
      const totals = await storage.read.listAttemptTotals({ taskId: attempt.taskId });
      return { ...attempt, ...(totals.get(id) ?? nothingEnded) };
    },

    async create(taskId, input) {
      const task = await getTask(storage.read, taskId);
      const project = await getProject(storage.read, task.projectId);
      const adapter = context.adapters.get(input.agent);
      if (adapter === undefined) {
        const known = [...context.adapters.keys()].join(", ");
        throw new ServiceError("invalid", "agent-not-available", `The agent “${input.agent}” is not available here. Available: ${known}.`);
      }
      const at = now();
      const id = createId("att", at);
      const number = Math.max(0, ...(await storage.read.listAttempts({ taskId })).map((attempt) => attempt.number)) + 1;
      const base = await resolveBase(project.path, input.baseBranch);
      const place =
        input.isolation === "in-place"
          ? { directory: project.path, branch: null }
          : await addWorktree({
              repository: project.path,
              root: worktreeRoot,
              folderName: `${toSlug(task.title)}-${number}-${id.slice(-6)}`,
              taskTitle: task.title,
              number,
              baseCommit: base.commit,
            });
      const attempt: Attempt = {
        id,
        taskId,
        number,
        agent: input.agent,
        model: input.model ?? (await adapter.describe()).defaultModel ?? null,
        permissionMode: input.permissionMode,
        isolation: input.isolation,
        ...place,
        baseBranch: base.branch,
        baseCommit: base.commit,
        sessionId: null,
        continuedFrom: null,
        active: true,
        createdAt: at,
        updatedAt: at,
      };
      await copyTrustedFiles({ project, attempt, trust: context.repositoryTrust });
      await storage.transaction(async (tx) => {
        await tx.insertAttempt(attempt);
        await tx.appendEvent({ type: "task:attempt-created", taskId, attempt }, at);
      });
      return attempt;
    },

    async update(id, changes) {
      const at = now();
      const changed = await storage.transaction(async (tx) => {
        const before = await getAttempt(tx, id);
        const updates = {
          model: changes.model ?? before.model,
          permissionMode: changes.permissionMode ?? before.permissionMode,
          updatedAt: at,
        };
        const attempt: Attempt = { ...before, ...updates };
        await tx.updateAttempt(attempt);
        await tx.appendEvent({ type: "task:attempt-updated", taskId: attempt.taskId, attemptId: id, updates }, at);
        return attempt;
      });
      supervisor.changeSettings(changed);
      return changed;
    },

    async activate(id) {
      const at = now();
      return storage.transaction(async (tx) => {
        const { taskId, agent } = await getAttempt(tx, id);
        await tx.activateAttempt({ id, at });
        const updates = { active: true, agent, updatedAt: at };
        await tx.appendEvent({ type: "task:attempt-updated", taskId, attemptId: id, updates }, at);
        return getAttempt(tx, id);
      });
    },

    async undoCompression(id) {
      await storage.transaction(async (tx) => {
        await getAttempt(tx, id);
        if (await tx.undoCompression({ attemptId: id })) return;
        throw new ServiceError("conflict", "nothing-to-undo", "This conversation has not been compressed.");
      });
    },

    async remove(id) {
      const attempt = await getAttempt(storage.read, id);
      const task = await getTask(storage.read, attempt.taskId);
      const project = await getProject(storage.read, task.projectId);
      await endExecutions(attempt);
      if (attempt.isolation === "worktree") await removeWorktree({ ...attempt, repository: project.path, root: worktreeRoot });
      const executions = await storage.read.listExecutions({ attemptId: id });
      await storage.transaction(async (tx) => {
        await tx.deleteAttempt({ id });
        const left = (await tx.listAttempts({ taskId: task.id })).at(-1);
        if (attempt.active && left !== undefined) await tx.activateAttempt({ id: left.id, at: now() });
        await tx.appendEvent({ type: "task:updated", taskId: task.id, task: await getTask(tx, task.id) }, now());
      });
      for (const execution of executions) await removeExecutionFolder(context.home, execution.id);
    },

    async diff(id) {
      const attempt = await getAttempt(storage.read, id);
      try {
        return await diffAgainstBase(attempt);
      } catch (cause) {
        throw new ServiceError(
          "unavailable",
          "diff-failed",
          `The changes in ${attempt.directory} could not be read. Check that the folder is still there.`,
          {
            cause,
          },
        );
      }
    },

    async messages(id) {
      await getAttempt(storage.read, id);
      return storage.read.listMessages({ attemptId: id });
    },
    async executions(id) {
      await getAttempt(storage.read, id);
      return storage.read.listExecutions({ attemptId: id });
    },
    export: (id, format) => exportAttempt(storage, id, format),
  };
}

/** File by file: the only folders that are ever deleted with whatever is in them are worktrees (X12). */
async function removeExecutionFolder(home: string, id: ExecutionId): Promise<void> {
  for (const folder of [join(home, "executions", id), join(outputFolder(home), id)]) {
    for (const name of await readdir(folder).catch(() => [])) await unlink(join(folder, name)).catch(() => {});
    await rmdir(folder).catch(() => {});
  }
}
