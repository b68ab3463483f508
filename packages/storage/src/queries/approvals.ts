import { type Approval, approvalSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { type Selectable, sql } from "kysely";
import type { ApprovalTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { fromActorColumn, toActorColumn } from "./actor-column.ts";

function toApproval(row: Selectable<ApprovalTable>): Approval {
  const name = `approval ${row.id}`;
  const fields = {
    id: row.id,
    taskId: row.task_id,
    attemptId: row.attempt_id,
    executionId: row.execution_id,
    toolUseId: row.tool_use_id,
    toolName: row.tool_name,
    input: parseJsonColumn(row.input, name),
    reason: row.reason,
    ...(row.reason_text === null ? {} : { reasonText: parseJsonColumn(row.reason_text, name) }),
    ...(row.permission_grant === null ? {} : { grant: parseJsonColumn(row.permission_grant, name) }),
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    ...(row.tampering === null ? {} : { tampering: parseJsonColumn(row.tampering, name) }),
    ...(row.overwrites === null ? {} : { overwrites: row.overwrites === 1 }),
    requestedAt: row.requested_at,
    status: row.status,
    decision: row.decision,
    answerReason: row.answer_reason,
    ...(row.answers === null ? {} : { answers: parseJsonColumn(row.answers, name) }),
    ...(row.plan === null ? {} : { plan: parseJsonColumn(row.plan, name) }),
    ...fromActorColumn(row.answered_by, name),
    resolvedAt: row.resolved_at,
  };
  return parseRow(approvalSchema, fields, name);
}

function toApprovalRow(approval: Approval): ApprovalTable {
  return {
    id: approval.id,
    task_id: approval.taskId,
    attempt_id: approval.attemptId,
    execution_id: approval.executionId,
    tool_use_id: approval.toolUseId,
    tool_name: approval.toolName,
    input: JSON.stringify(approval.input),
    reason: approval.reason,
    reason_text: approval.reasonText === undefined ? null : JSON.stringify(approval.reasonText),
    permission_grant: approval.grant === undefined ? null : JSON.stringify(approval.grant),
    request_id: approval.requestId ?? null,
    requested_at: approval.requestedAt,
    status: approval.status,
    decision: approval.status === "answered" ? approval.decision : null,
    answer_reason: approval.status === "answered" ? approval.answerReason : null,
    answers: approval.status === "answered" && approval.answers !== undefined ? JSON.stringify(approval.answers) : null,
    plan: approval.status === "answered" && approval.plan !== undefined ? JSON.stringify(approval.plan) : null,
    resolved_at: approval.status === "pending" ? null : approval.resolvedAt,
    tampering: approval.tampering === undefined ? null : JSON.stringify(approval.tampering),
    overwrites: approval.overwrites === undefined ? null : Number(approval.overwrites),
    answered_by: approval.status === "answered" ? toActorColumn(approval.by) : null,
  };
}

export async function loadApprovals({ db }: QueryContext, ids: readonly string[]): Promise<Map<string, Approval>> {
  if (ids.length === 0) return new Map();
  const rows = await db().selectFrom("approvals").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, toApproval(row)]));
}

export function readApprovals({ db }: QueryContext): Pick<StorageReader, "findApproval" | "listApprovals"> {
  return {
    async findApproval({ id }) {
      const row = await db().selectFrom("approvals").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toApproval(row);
    },
    async listApprovals({ attemptId, executionId, status }) {
      const rows = await db()
        .selectFrom("approvals")
        .selectAll()
        .$if(attemptId !== undefined, (approvals) => approvals.where("attempt_id", "=", attemptId ?? ""))
        .$if(executionId !== undefined, (approvals) => approvals.where("execution_id", "=", executionId ?? ""))
        .$if(status === "pending", (approvals) => approvals.where("status", "=", sql.lit("pending")))
        .$if(status !== undefined && status !== "pending", (approvals) => approvals.where("status", "=", status ?? ""))
        .orderBy("requested_at")
        .orderBy("id")
        .execute();
      return rows.map(toApproval);
    },
  };
}

export function writeApprovals({
  db,
}: QueryContext): Pick<StorageTransaction, "insertApproval" | "answerApproval" | "expireApprovals" | "markApprovalTampered"> {
  return {
    async insertApproval(approval) {
      const inserted = await db()
        .insertInto("approvals")
        .values(toApprovalRow(approval))
        .onConflict((known) => known.columns(["execution_id", "tool_use_id"]).doNothing())
        .executeTakeFirst();
      return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async answerApproval({ id, decision, answerReason, answers, plan, by, resolvedAt }) {
      const row = await db()
        .updateTable("approvals")
        .set({
          status: "answered",
          decision,
          answer_reason: answerReason,
          answers: answers === undefined ? null : JSON.stringify(answers),
          plan: plan === undefined ? null : JSON.stringify(plan),
          answered_by: toActorColumn(by),
          resolved_at: resolvedAt,
        })
        .where("id", "=", id)
        .where("status", "=", "pending")
        .returningAll()
        .executeTakeFirst();
      return row && toApproval(row);
    },
    async markApprovalTampered({ executionId, toolUseId, tampering }) {
      const row = await db()
        .updateTable("approvals")
        .set({ tampering: JSON.stringify(tampering) })
        .where("execution_id", "=", executionId)
        .where("tool_use_id", "=", toolUseId)
        .where("status", "=", "pending")
        .where("tampering", "is", null)
        .returningAll()
        .executeTakeFirst();
      return row && toApproval(row);
    },
    async expireApprovals({ executionId, toolUseId, resolvedAt }) {
      const open = db()
        .updateTable("approvals")
        .set({ status: "expired", resolved_at: resolvedAt })
        .where("execution_id", "=", executionId)
        .where("status", "=", "pending");
      const rows = await (toolUseId === undefined ? open : open.where("tool_use_id", "=", toolUseId)).returningAll().execute();
      return rows.map(toApproval).sort((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1));
    },
  };
}
