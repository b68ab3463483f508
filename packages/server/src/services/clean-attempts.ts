import { attemptIdSchema, type CleanItem, type CleanPlan, type CleanResult, executionIdSchema, type KeptReason } from "@skein/contracts";
import { getAttemptFolder } from "../executions/attempt-folder.ts";
import { getProjectOf } from "../executions/project-of.ts";
import { isUnreachable } from "../hosts/host-directory.ts";
import { runCleanup } from "../repository/run-cleanup.ts";
import { type CleanContext, gatherFacts } from "./clean-facts.ts";
import { getAttempt } from "./lookup.ts";
import { type CleanAges, planClean } from "./plan-clean.ts";
import type { ServiceContext } from "./service-context.ts";

export { toAges, toRetentionAges } from "./plan-clean.ts";

/** What a clean-up would remove now. */
export async function planAttempts(context: CleanContext, { ages }: { ages: CleanAges }): Promise<CleanPlan> {
  const facts = await gatherFacts(context, { ages });
  return planClean(facts, { ages, now: context.now() });
}

/** Removes an item if it still is in the plan. Never rejects. Removing an item again, also one that was cut off, does no harm. */
export async function removeItem(context: ServiceContext, id: string, ages: CleanAges): Promise<CleanResult> {
  try {
    const attemptId = await findAttemptId(context, id);
    if (attemptId === undefined) return { outcome: "kept", id, why: { code: "changed" } };
    const facts = await gatherFacts(context, { ages, only: attemptId });
    const { items, kept } = planClean(facts, { ages, now: context.now() });
    const item = items.find((one) => one.id === id);
    if (item === undefined) return { outcome: "kept", id, why: kept.find((one) => one.id === id)?.why ?? { code: "changed" } };
    const why = await remove(context, item);
    return why === undefined ? { outcome: "removed", id, bytes: item.bytes } : { outcome: "kept", id, why };
  } catch (error) {
    if (isUnreachable(error)) return { outcome: "kept", id, why: { code: "unreachable" } };
    context.logger.warn("a clean-up could not remove something", { item: id, error });
    return { outcome: "failed", id, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** `<kind>:<attempt>`, or `process:<execution>`. */
async function findAttemptId({ storage }: ServiceContext, id: string) {
  const subject = id.slice(id.indexOf(":") + 1);
  const execution = executionIdSchema.safeParse(subject);
  if (execution.success) return (await storage.read.findExecution({ id: execution.data }))?.attemptId;
  return attemptIdSchema.safeParse(subject).data;
}

/** Returns why it was kept; undefined: it is removed. */
async function remove(context: ServiceContext, item: CleanItem): Promise<KeptReason | undefined> {
  const { workspaces, executions } = context.host;
  switch (item.kind) {
    case "worktree":
      return removeWorktree(context, item);
    case "sandbox-home":
      await workspaces.removeSandboxHome({ id: item.attemptId });
      return undefined;
    case "execution-log":
      await executions.removeLogs({ ids: item.executionIds });
      return undefined;
    case "process":
      context.logger.info("ending processes that an agent left", { executionId: item.executionId, processes: item.processes });
      await executions.kill({ id: item.executionId });
      return undefined;
    default:
      return item satisfies never;
  }
}

async function removeWorktree(
  context: ServiceContext,
  { attemptId }: { attemptId: CleanItem["attemptId"] },
): Promise<KeptReason | undefined> {
  const { storage, supervisor, host, logger, now } = context;
  const attempt = await getAttempt(storage.read, attemptId);
  // the files that an execution left are recorded after it has ended
  const last = (await storage.read.listExecutionIds({ attemptId })).at(-1);
  if (last !== undefined) await supervisor.waitUntilSettled(last);
  await host.terminals.end({ attemptId });
  const folder = await getAttemptFolder(context, attempt);
  const project = await getProjectOf(storage.read, attempt);
  await runCleanup({ host, project, attempt, trust: context.repositoryTrust, logger });
  const landing = (await storage.read.findLanding({ attemptId })) ?? null;
  // the script may have changed files, and so may anybody since the check
  const state = await host.workspaces.readGitState({
    attempt: { ...folder, baseBranch: attempt.baseBranch },
    isRunning: false,
    landing,
  });
  if (state.head === null || state.ahead !== 0) return { code: "changed" };
  if (!(await host.workspaces.removeFolder({ attempt: folder, head: state.head }))) return { code: "changed" };
  // a message that was sent meanwhile has started an agent there
  if ((await storage.read.listRunningExecutions({ attemptId })).length > 0) await host.workspaces.restore(folder);
  await storage.transaction((tx) => tx.appendEvent({ type: "git:changed", taskId: attempt.taskId, attemptId }, now()));
  return undefined;
}
