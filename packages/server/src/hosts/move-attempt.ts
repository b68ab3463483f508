import { basename } from "node:path";
import type { Attempt, AttemptId, HostId } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { AttemptFolder, AttemptWork, Host } from "@skein/host";
import { getAttemptFolder } from "../executions/attempt-folder.ts";
import type { HostedContext } from "../executions/execution-context.ts";
import type { ExecutionSupervisor } from "../executions/execution-supervisor.ts";
import type { AttemptCreations } from "./attempt-creations.ts";
import { listObjects, type WorkCarrier } from "./carry-work.ts";
import { type HostDirectory, isUnreachable } from "./host-directory.ts";
import type { HostLocator } from "./locate-host.ts";

/**
 * Moves the folder of an attempt to another host, with its branch, its uncommitted changes and its recorded executions. If its current host is gone, the server's mirror is used. The agent's own session stays behind: the next message starts a new one.
 */
export async function moveAttempt(
  input: {
    context: Pick<HostedContext, "storage" | "now" | "logger">;
    supervisor: Pick<ExecutionSupervisor, "waitUntilSettled">;
    local: Host;
    directory: HostDirectory;
    locator: HostLocator;
    carrier: WorkCarrier;
    creations: AttemptCreations;
  },
  attempt: Attempt,
  to: HostId | null,
): Promise<Attempt> {
  const { context, local, directory, locator, carrier } = input;
  const { storage, now, logger } = context;
  const from = attempt.hostId ?? null;
  const nameOf = (id: HostId): string => directory.find(id)?.stored.name ?? id;
  if (from === to) throw new ServiceError("conflict", { code: "already-on-host" });
  if (attempt.isolation === "in-place") {
    throw new ServiceError("invalid", { code: "host-needs-worktree", host: to === null ? "" : nameOf(to) });
  }
  await assertIdle(input, attempt.id);
  const folder = await getAttemptFolder(context, attempt);
  const target = to === null ? local : directory.get(to);
  const work = await findWork();
  if (work === null) throw new ServiceError("conflict", { code: "attempt-not-mirrored", host: from === null ? "" : nameOf(from) });

  const { project, baseCommit } = folder;
  if (to !== null) {
    if (from === null) await local.workspaces.restore(folder);
    await carrier.bring({ project, hostId: to, to: target, ids: [...listObjects(work), ...(baseCommit === null ? [] : [baseCommit])] });
    await carrier.bringBase({ ...folder, baseBranch: attempt.baseBranch }, to, target);
  }
  const moved = await input.creations.during({ id: attempt.id, hostId: to, isRepeated: true }, async () => {
    const adopted = await target.transfers.adopt({ id: attempt.id, project, baseCommit, folderName: basename(attempt.directory), work });
    const updates = { hostId: to, directory: adopted.directory, sessionId: null, updatedAt: now() };
    return storage.transaction(async (tx) => {
      const current = await tx.findAttempt({ id: attempt.id });
      if (current === undefined) throw new ServiceError("not-found", { code: "attempt-not-found", id: attempt.id });
      await tx.updateAttempt({ ...current, ...updates });
      await tx.appendEvent({ type: "task:attempt-updated", taskId: attempt.taskId, attemptId: attempt.id, updates }, updates.updatedAt);
      await tx.appendEvent({ type: "git:changed", taskId: attempt.taskId, attemptId: attempt.id }, updates.updatedAt);
      return { ...current, ...updates };
    });
  });
  locator.note(moved, to);
  await removeOld().catch((error: unknown) =>
    logger.warn("the former folder of an attempt could not be removed", { attemptId: attempt.id, error }),
  );
  if (to !== null) await local.transfers.saveMirror({ attempt: { ...folder, directory: moved.directory, hostId: to }, work });
  return moved;

  async function findWork(): Promise<AttemptWork | null> {
    if (from === null) return local.transfers.readWork(folder);
    try {
      return await carrier.mirror(folder, directory.get(from));
    } catch (error) {
      const isGone = isUnreachable(error) || (error instanceof ServiceError && error.code === "host-removed");
      if (!isGone) throw error;
      return local.transfers.readMirror(folder);
    }
  }

  /** The branch stays: the mirror needs it. */
  async function removeOld(): Promise<void> {
    const old: AttemptFolder = { ...folder, branch: null };
    if (from === null) {
      await local.terminals.remove({ attemptId: attempt.id });
      await local.workspaces.remove({ attempt: old, later: true });
    } else if (directory.find(from)?.connection !== undefined) {
      await directory.get(from).terminals.remove({ attemptId: attempt.id });
      await directory.get(from).workspaces.remove({ attempt: folder, later: true });
      await directory.get(from).workspaces.forget({ id: attempt.id });
    }
  }
}

async function assertIdle({ context, supervisor }: Parameters<typeof moveAttempt>[0], attemptId: AttemptId): Promise<void> {
  const [running] = await context.storage.read.listRunningExecutions({ attemptId });
  if (running !== undefined) throw new ServiceError("conflict", { code: "agent-working" });
  const last = (await context.storage.read.listExecutionIds({ attemptId })).at(-1);
  if (last !== undefined) await supervisor.waitUntilSettled(last);
}
