import type { Attempt, AttemptId, GitState, UpdatedAttemptBase } from "@skein/contracts";
import { ServiceError, type StorageTransaction } from "@skein/engine";
import type { AttemptBranch } from "@skein/host";
import { getAttemptFolder } from "../executions/attempt-folder.ts";
import { recoverOperations, saveLanding } from "../executions/recover-operations.ts";
import { withHooks } from "../executions/with-hooks.ts";
import type { BranchService } from "./change-services.ts";
import { createCommitMessageService } from "./commit-message.ts";
import { formatConflictMessage } from "./conflict-message.ts";
import { getAttempt, getTask } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { CommandService } from "./task-services.ts";

/** What is done with the work of an attempt: commit, take back, update, land, push. */
export function createBranchService(context: ServiceContext, commands: CommandService): BranchService {
  const { storage, supervisor, now } = context;
  const { workspaces } = context.host;

  async function open(id: AttemptId): Promise<{ attempt: Attempt; branch: AttemptBranch }> {
    const attempt = await getAttempt(storage.read, id);
    return { attempt, branch: { ...(await getAttemptFolder(context, attempt)), baseBranch: attempt.baseBranch } };
  }

  /** Files and branches change only while no agent works with them. Clients learn of it by an event. */
  async function change<T>(
    id: AttemptId,
    work: (opened: { attempt: Attempt; branch: AttemptBranch }) => Promise<T>,
    save: (tx: StorageTransaction, result: T, attempt: Attempt) => Promise<unknown> = async () => {},
  ): Promise<T> {
    const opened = await open(id);
    const [running] = await storage.read.listRunningExecutions({ attemptId: id });
    if (running !== undefined) {
      throw new ServiceError("conflict", { code: "agent-working" });
    }
    // the files that an execution left are recorded after it has ended
    const last = (await storage.read.listExecutionIds({ attemptId: id })).at(-1);
    if (last !== undefined) await supervisor.waitUntilSettled(last);
    await recoverOperations(context, opened.branch);
    // a clean-up may have removed it; what only needs the mirror of a worker's folder works without it
    if (opened.attempt.isolation === "worktree") await workspaces.restore(opened.branch).catch(ignoreMissingHost);
    try {
      const result = await work(opened);
      await storage.transaction(async (tx) => {
        await save(tx, result, opened.attempt);
        await report(tx, opened.attempt);
      });
      return result;
    } catch (error) {
      // its refs have moved
      if (error instanceof ServiceError && error.code === "operation-interrupted")
        await storage.transaction((tx) => report(tx, opened.attempt));
      throw explain(error, opened.attempt);
    }
  }

  const report = (tx: StorageTransaction, { id, taskId }: Attempt) => tx.appendEvent({ type: "git:changed", taskId, attemptId: id }, now());

  /** The attempt's diff is taken against what it was updated to. */
  async function saveBase(tx: StorageTransaction, result: UpdatedAttemptBase, before: Attempt, onto: string | null): Promise<void> {
    if (result.outcome !== "updated" || onto === null) return;
    const at = now();
    const updates = { baseCommit: onto, updatedAt: at };
    const attempt = { ...(await getAttempt(tx, before.id)), ...updates };
    await tx.updateAttempt(attempt);
    await tx.appendEvent({ type: "task:attempt-updated", taskId: attempt.taskId, attemptId: attempt.id, updates }, at);
  }

  const hookInput = (attempt: Attempt, operation: "commit" | "push") => ({
    ...{ context, repositoryTrust: context.repositoryTrust, attempt, operation },
  });

  async function readState(id: AttemptId): Promise<GitState> {
    const { attempt, branch } = await open(id);
    const [landing, stored, running] = await Promise.all([
      findLanding(id),
      storage.read.findPullRequest({ attemptId: id }),
      storage.read.listRunningExecutions({ attemptId: id }),
    ]);
    try {
      const state = await workspaces.readGitState({ attempt: branch, isRunning: running.length > 0, landing });
      return { ...state, pullRequest: stored?.pullRequest ?? null };
    } catch (error) {
      throw explain(error, attempt);
    }
  }

  const findLanding = async (attemptId: AttemptId) => (await storage.read.findLanding({ attemptId })) ?? null;

  return {
    state: readState,
    async uncommitted(id) {
      return workspaces.diffUncommitted((await open(id)).branch);
    },

    ...createCommitMessageService(context, async ({ id }) => workspaces.diffUncommitted((await open(id)).branch)),
    commit: (id, { message, files }) =>
      change(id, ({ attempt, branch }) =>
        withHooks(hookInput(attempt, "commit"), (hooks) => workspaces.commit({ attempt: branch, message, files, hooks })),
      ),
    discard: (id, { files }) => change(id, ({ branch }) => workspaces.discard({ attempt: branch, files })),
    restore: (id, target) =>
      change(id, async ({ branch }) => {
        if ("ref" in target) return workspaces.restoreSafetyRef({ attempt: branch, ref: target.ref });
        const executions = await storage.read.listExecutionIds({ attemptId: id });
        return workspaces.restoreExecution({ attempt: branch, ...target, executions });
      }),

    async update(id, { method }) {
      const { base } = await readState(id);
      return change(
        id,
        async ({ branch }) => workspaces.update({ attempt: branch, method, landing: await findLanding(id) }),
        (tx, result, attempt) => saveBase(tx, result, attempt, base.tip),
      );
    },
    async conflictSides(id, path) {
      return workspaces.readConflictSides({ attempt: (await open(id)).branch, path });
    },
    async resolve(id, resolution, by) {
      switch (resolution.action) {
        case "use":
          await change(id, ({ branch }) => workspaces.resolveConflict({ attempt: branch, path: resolution.path, side: resolution.side }));
          break;
        case "write": {
          const { path, content, currentId } = resolution;
          await change(id, ({ branch }) => workspaces.resolveConflict({ attempt: branch, path, content, currentId }));
          break;
        }
        case "mark-resolved":
          await change(id, ({ branch }) => workspaces.resolveConflict({ attempt: branch, path: resolution.path, asIs: true }));
          break;
        case "finish": {
          const onto = (await readState(id)).conflict?.onto ?? null;
          await change(
            id,
            ({ branch }) => workspaces.finishUpdate(branch),
            (tx, result, attempt) => saveBase(tx, result, attempt, onto),
          );
          break;
        }
        case "abort":
          await change(id, ({ branch }) => workspaces.abortUpdate(branch));
          break;
        case "agent": {
          const { conflict } = await readState(id);
          if (conflict === null) throw new ServiceError("conflict", { code: "no-conflict" });
          const { taskId } = await getAttempt(storage.read, id);
          const message = formatConflictMessage(conflict);
          await commands.execute({ type: "SEND_MESSAGE", id: resolution.id, taskId, attemptId: id, message }, undefined, by);
          break;
        }
      }
      return readState(id);
    },

    async land(id, { method, message }, by) {
      const { attempt: before, branch: folder } = await open(id);
      const { title } = await getTask(storage.read, before.taskId);
      // asked again after it failed halfway: that one is complete now
      const recovered = (await recoverOperations(context, folder)).find(
        ({ operation, outcome }) => outcome === "completed" && operation.attemptId === id && operation.landing !== null,
      );
      if (recovered?.operation.landing) return recovered.operation.landing;
      return change(
        id,
        async ({ branch }) => workspaces.land({ attempt: branch, method, message: message || title, landed: await findLanding(id) }),
        (tx, landing, attempt) => saveLanding(tx, attempt, by === undefined ? landing : { ...landing, by }, now()),
      );
    },
    async undoLanding(id) {
      const landing = await storage.read.findLanding({ attemptId: id });
      if (landing === undefined) throw new ServiceError("conflict", { code: "not-landed" });
      await change(
        id,
        ({ branch }) => workspaces.undoLanding({ attempt: branch, landing }),
        (tx) => tx.deleteLanding({ attemptId: id }),
      );
      return readState(id);
    },

    push: (id, { remote }, credential) =>
      change(id, ({ attempt, branch }) =>
        withHooks(hookInput(attempt, "push"), async (hooks) => {
          const input = { attempt: branch, remote, hooks };
          try {
            return await workspaces.push(input);
          } catch (error) {
            if (credential === undefined || !(error instanceof ServiceError) || error.code !== "no-credential") throw error;
            return workspaces.push({ ...input, credential });
          }
        }),
      ),

    recover: async () => void (await recoverOperations(context)),
  };
}

function ignoreMissingHost(error: unknown): void {
  if (!(error instanceof ServiceError) || !["host-unreachable", "host-removed"].includes(error.code)) throw error;
}

/** A failure of git itself names the folder. */
function explain(error: unknown, attempt: Attempt): unknown {
  if (error instanceof ServiceError || !(error instanceof Error) || error.name !== "GitError") return error;
  return new ServiceError("unavailable", { code: "git-failed", directory: attempt.directory, reason: error.message }, { cause: error });
}
