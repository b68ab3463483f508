import {
  type Actor,
  type Approval,
  type ApprovalId,
  createId,
  type PermissionGrant,
  type PlanApproval,
  type WorkingMode,
} from "@skein/contracts";
import { findPlan, ServiceError, type StorageTransaction } from "@skein/engine";
import type { ConnectionPeer } from "@skein/host";
import { isAgent } from "./is-agent.ts";
import { getAttempt, getTask, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { ApprovalService } from "./task-services.ts";

/** Lists approvals and answers them. The answer is stored before it is sent to the agent. */
export function createApprovalService(context: ServiceContext): ApprovalService {
  const { storage, supervisor, logger, now } = context;
  async function refuseAgents(id: ApprovalId, peer: ConnectionPeer | undefined, by: Actor | undefined): Promise<void> {
    // an agent runs as the user and can read the token: it must at least not answer its own approvals unnoticed (E10)
    if (!(await isAgent(context, peer, by))) return;
    const at = now();
    await storage.transaction(async (tx) => {
      const approval = await tx.findApproval({ id });
      if (approval === undefined) missing("approval", id);
      const { executionId, toolUseId, taskId, attemptId } = approval;
      const marked = await tx.markApprovalTampered({ executionId, toolUseId, tampering: { kind: "answer-refused", at } });
      if (marked !== undefined) await tx.appendEvent({ type: "approval:requested", taskId, attemptId, approval: marked }, at);
    });
    logger.warn("approval answered by an agent's process", { approvalId: id });
    throw new ServiceError("forbidden", { code: "answered-by-agent" });
  }

  return {
    list: (query) => storage.read.listApprovals(query),

    async answer(id, { decision, reason, answers, plan: chosen }, peer, by) {
      const at = now();
      await refuseAgents(id, peer, by);
      const approval = await storage.transaction(async (tx) => {
        const asked = await tx.findApproval({ id });
        if (asked === undefined) missing("approval", id);
        const plan = decision === "deny" || findPlan(asked) === undefined ? undefined : await toPlanApproval(tx, asked, chosen);
        const answered = await tx.answerApproval({ id, decision, answerReason: reason ?? null, answers, plan, by, resolvedAt: at });
        if (answered === undefined) {
          throw new ServiceError("conflict", { code: "approval-already-resolved" });
        }
        await tx.appendEvent({ type: "approval:resolved", taskId: answered.taskId, attemptId: answered.attemptId, approval: answered }, at);
        if (plan !== undefined) await leavePlanMode(tx, answered, plan.mode, at);
        if (decision === "allow-always" && answered.grant !== undefined) await rememberGrant(tx, answered, answered.grant, at);
        return answered;
      });
      supervisor.answer(approval);
      return approval;
    },
  };
}

/** A client without support for plans grants no more than before. */
async function toPlanApproval(tx: StorageTransaction, { attemptId, ...asked }: Approval, chosen?: PlanApproval): Promise<PlanApproval> {
  const { permissionMode } = await getAttempt(tx, attemptId);
  const mode = chosen?.mode ?? (permissionMode === "plan" ? "ask" : permissionMode);
  const text = chosen?.text;
  return { mode, ...(text === undefined || text === findPlan(asked)?.text ? {} : { text }) };
}

/** The running agent gets the mode with the answer, the next execution from its attempt. */
async function leavePlanMode(tx: StorageTransaction, { attemptId, taskId }: Approval, mode: WorkingMode, at: number): Promise<void> {
  const attempt = await getAttempt(tx, attemptId);
  if (attempt.permissionMode === mode) return;
  const updates = { permissionMode: mode, updatedAt: at };
  await tx.updateAttempt({ ...attempt, ...updates });
  await tx.appendEvent({ type: "task:attempt-updated", taskId, attemptId, updates }, at);
}

async function rememberGrant(tx: StorageTransaction, { taskId }: Approval, grant: PermissionGrant, at: number): Promise<void> {
  const { projectId } = await getTask(tx, taskId);
  await tx.insertGrant({ id: createId("rul", at), projectId, grant, createdAt: at });
}
