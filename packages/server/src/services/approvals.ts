import { type Approval, createId, type PermissionGrant } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import { getTask, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { ServiceError } from "./service-error.ts";
import type { Services } from "./services.ts";

export function createApprovalService({ storage, supervisor, now }: ServiceContext): Services["approvals"] {
  return {
    list: (query) => storage.read.listApprovals(query),

    async answer(id, { decision, reason, answers }) {
      const at = now();
      const approval = await storage.transaction(async (tx) => {
        if ((await tx.findApproval({ id })) === undefined) missing("approval", id);
        const answered = await tx.answerApproval({ id, decision, answerReason: reason ?? null, answers, resolvedAt: at });
        if (answered === undefined) {
          throw new ServiceError("conflict", "approval-already-resolved", "This has been answered already, or its execution has ended.");
        }
        await tx.appendEvent({ type: "approval:resolved", taskId: answered.taskId, attemptId: answered.attemptId, approval: answered }, at);
        if (decision === "allow-always" && answered.grant !== undefined) await rememberGrant(tx, answered, answered.grant, at);
        return answered;
      });
      supervisor.answer(approval);
      return approval;
    },
  };
}

async function rememberGrant(tx: StorageTransaction, { taskId }: Approval, grant: PermissionGrant, at: number): Promise<void> {
  const { projectId } = await getTask(tx, taskId);
  await tx.insertPermissionRule({ id: createId("rul", at), projectId, grant, createdAt: at });
}
