import { attemptIdSchema, landingSchema, type PullRequest, pullRequestSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

function toPullRequest(row: { attempt_id: string; data: string }): PullRequest {
  const name = `pull request of ${row.attempt_id}`;
  return parseRow(pullRequestSchema, parseJsonColumn(row.data, name), name);
}

export function readLandings({ db }: QueryContext): Pick<StorageReader, "findLanding" | "findPullRequest" | "listOpenPullRequests"> {
  return {
    async findLanding({ attemptId }) {
      const row = await db().selectFrom("landings").selectAll().where("attempt_id", "=", attemptId).executeTakeFirst();
      if (row === undefined) return undefined;
      const { method, branch } = row;
      const fields = { method, branch, commit: row.commit_id, previous: row.previous_id, landedAt: row.landed_at };
      return parseRow(landingSchema, fields, `landing of ${attemptId}`);
    },
    async findPullRequest({ attemptId }) {
      const row = await db()
        .selectFrom("pull_requests")
        .select(["attempt_id", "data"])
        .where("attempt_id", "=", attemptId)
        .executeTakeFirst();
      return row && toPullRequest(row);
    },
    async listOpenPullRequests() {
      const rows = await db()
        .selectFrom("pull_requests")
        .select(["attempt_id", "data"])
        .where("state", "in", ["open", "draft"])
        .orderBy("checked_at")
        .execute();
      return rows.map((row) => ({
        attemptId: parseRow(attemptIdSchema, row.attempt_id, `pull request of ${row.attempt_id}`),
        pullRequest: toPullRequest(row),
      }));
    },
  };
}

export function writeLandings({ db }: QueryContext): Pick<StorageTransaction, "putLanding" | "deleteLanding" | "putPullRequest"> {
  return {
    async putLanding({ attemptId, landing }) {
      const { method, branch, commit, previous, landedAt } = landing;
      const row = { method, branch, commit_id: commit, previous_id: previous, landed_at: landedAt };
      await db()
        .insertInto("landings")
        .values({ attempt_id: attemptId, ...row })
        .onConflict((conflict) => conflict.column("attempt_id").doUpdateSet(row))
        .execute();
    },
    async deleteLanding({ attemptId }) {
      await db().deleteFrom("landings").where("attempt_id", "=", attemptId).execute();
    },
    async putPullRequest({ attemptId, pullRequest }) {
      const row = { state: pullRequest.state, data: JSON.stringify(pullRequest), checked_at: pullRequest.checkedAt };
      await db()
        .insertInto("pull_requests")
        .values({ attempt_id: attemptId, ...row })
        .onConflict((conflict) => conflict.column("attempt_id").doUpdateSet(row))
        .execute();
    },
  };
}
