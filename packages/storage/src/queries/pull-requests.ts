import { type PullRequestBadge, type StoredPullRequest, storedPullRequestSchema, type TaskId } from "@skein/contracts";
import { type StorageReader, type StorageTransaction, toPullRequestBadge } from "@skein/engine";
import type { RawBuilder, Selectable, SqlBool } from "kysely";
import type { PullRequestTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

type Row = Selectable<PullRequestTable>;

export type PullRequestRow = Row;

export function toStored(row: Row): StoredPullRequest {
  const name = `pull request of ${row.attempt_id}`;
  const fields = {
    ...{ attemptId: row.attempt_id, taskId: row.task_id, nextCheckAt: row.next_check_at, seenAt: row.seen_at, failures: row.failures },
    inbox: row.inbox_added_at === null ? null : { addedAt: row.inbox_added_at, clearedAt: row.inbox_cleared_at },
    ...{ pullRequest: parseJsonColumn(row.body, name), sent: parseJsonColumn(row.sent, name), publishAfter: row.publish_after },
  };
  return parseRow(storedPullRequestSchema, fields, name);
}

function toBadge(row: Row): PullRequestBadge {
  const { attemptId, pullRequest } = toStored(row);
  return toPullRequestBadge(attemptId, pullRequest);
}

/** By attempt. */
export async function loadPullRequestBadges({ db }: QueryContext, attemptIds: readonly string[]): Promise<Map<string, PullRequestBadge>> {
  if (attemptIds.length === 0) return new Map();
  const rows = await db().selectFrom("pull_requests").selectAll().where("attempt_id", "in", attemptIds).execute();
  return new Map(rows.map((row) => [row.attempt_id, toBadge(row)]));
}

/** By task. */
export async function listPullRequestBadges({ db }: QueryContext, scope: RawBuilder<SqlBool>): Promise<Map<TaskId, PullRequestBadge[]>> {
  const rows = await db().selectFrom("pull_requests").selectAll().where(scope).execute();
  return Map.groupBy(rows.map(toBadge), (_, index) => rows[index]?.task_id as TaskId);
}

export function readPullRequests({ db, nodeId }: QueryContext): Pick<StorageReader, "findPullRequest" | "listWatchedPullRequests"> {
  return {
    async findPullRequest({ attemptId }) {
      const row = await db().selectFrom("pull_requests").selectAll().where("attempt_id", "=", attemptId).executeTakeFirst();
      return row && toStored(row);
    },
    async listWatchedPullRequests({ limit, isOwn = false }) {
      const rows = await db()
        .selectFrom("pull_requests")
        .selectAll()
        .where("next_check_at", "is not", null)
        .$if(isOwn && nodeId !== undefined, (watched) =>
          watched.where("attempt_id", "in", (own) =>
            own
              .selectFrom("attempts")
              .select("id")
              .where("node_id", "=", nodeId ?? ""),
          ),
        )
        .orderBy("next_check_at")
        .limit(limit)
        .execute();
      return rows.map(toStored);
    },
  };
}

export function writePullRequests({ db }: QueryContext): Pick<StorageTransaction, "putPullRequest"> {
  return {
    async putPullRequest({ attemptId, taskId, pullRequest, sent, publishAfter, nextCheckAt, seenAt, failures, inbox }) {
      const { forge, host, repository, number, url, state } = pullRequest;
      const row = {
        ...{ task_id: taskId, forge, host, repository, number, url, state, body: JSON.stringify(pullRequest), sent: JSON.stringify(sent) },
        ...{ publish_after: publishAfter, next_check_at: nextCheckAt, seen_at: seenAt, failures },
        ...{ inbox_added_at: inbox?.addedAt ?? null, inbox_cleared_at: inbox?.clearedAt ?? null },
      };
      await db()
        .insertInto("pull_requests")
        .values({ attempt_id: attemptId, ...row })
        .onConflict((conflict) => conflict.column("attempt_id").doUpdateSet(row))
        .execute();
    },
  };
}
