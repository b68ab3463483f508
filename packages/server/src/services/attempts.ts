import { join } from "node:path";
import { type Attempt, createId } from "@skein/contracts";
import { noTotals } from "@skein/engine";
import { diffAgainstBase } from "../git/attempt-diff.ts";
import { toSlug } from "../git/slug.ts";
import { addWorktree, resolveBase } from "../git/worktrees.ts";
import { copyTrustedFiles } from "../repository/prepare-worktree.ts";
import { exportAttempt } from "./export-attempt.ts";
import { getAttempt, getProject, getTask } from "./lookup.ts";
import type { RemoveAttempts } from "./remove-attempts.ts";
import type { ServiceContext } from "./service-context.ts";
import { ServiceError } from "./service-error.ts";
import type { Services } from "./services.ts";

const nothingEnded = { totals: noTotals, lastEnd: null };

export function createAttemptService(context: ServiceContext, removeAttempts: RemoveAttempts): Services["attempts"] {
  const { storage, supervisor, now } = context;
  const worktreeRoot = join(context.home, "worktrees");

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

    async remove(id, options) {
      return removeAttempts([await getAttempt(storage.read, id)], options);
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
