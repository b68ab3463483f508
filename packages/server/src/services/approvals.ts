import { missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { ServiceError } from "./service-error.ts";
import type { Services } from "./services.ts";

export function createApprovalService({ storage, supervisor, now }: ServiceContext): Services["approvals"] {
  return {
    list: (query) => storage.read.listApprovals(query),

    async answer(id, { decision, reason }) {
      const at = now();
      const approval = await storage.transaction(async (tx) => {
        if ((await tx.findApproval({ id })) === undefined) missing("approval", id);
        const answered = await tx.answerApproval({ id, decision, answerReason: reason ?? null, resolvedAt: at });
        if (answered === undefined) {
          throw new ServiceError("conflict", "approval-already-resolved", "This has been answered already, or its execution has ended.");
        }
        await tx.appendEvent({ type: "approval:resolved", taskId: answered.taskId, attemptId: answered.attemptId, approval: answered }, at);
        return answered;
      });
      supervisor.answer(approval);
      return approval;
    },
  };
}
