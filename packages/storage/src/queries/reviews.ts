import { type StoredComment, storedCommentSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import type { ReviewCommentTable } from "../database.ts";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { fromActorColumn, toActorColumn } from "./actor-column.ts";

function toComment(row: Selectable<ReviewCommentTable>): StoredComment {
  const { id, path, side, quote, body, state } = row;
  const fields = {
    ...{ id, path, side, quote, body, state },
    taskId: row.task_id,
    attemptId: row.attempt_id,
    startLine: row.start_line,
    endLine: row.end_line,
    executionId: row.execution_id,
    ...fromActorColumn(row.written_by, `comment ${id}`),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return parseRow(storedCommentSchema, fields, `comment ${id}`);
}

function toCommentRow(comment: StoredComment): ReviewCommentTable {
  const { id, path, side, quote, body, state } = comment;
  return {
    ...{ id, path, side, quote, body, state },
    task_id: comment.taskId,
    attempt_id: comment.attemptId,
    start_line: comment.startLine,
    end_line: comment.endLine,
    execution_id: comment.executionId,
    written_by: toActorColumn(comment.by),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
  };
}

export function readReviews({ db }: QueryContext): Pick<StorageReader, "listComments" | "findComment" | "listViewedFiles"> {
  return {
    async listComments({ attemptId, state }) {
      const rows = await db()
        .selectFrom("review_comments")
        .selectAll()
        .where("attempt_id", "=", attemptId)
        .$if(state !== undefined, (comments) => comments.where("state", "=", state ?? ""))
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(toComment);
    },
    async findComment({ id }) {
      const row = await db().selectFrom("review_comments").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toComment(row);
    },
    async listViewedFiles({ attemptId }) {
      const rows = await db()
        .selectFrom("viewed_files")
        .select(["path", "content_id"])
        .where("attempt_id", "=", attemptId)
        .orderBy("path")
        .execute();
      return rows.map((row) => ({ path: row.path, contentId: row.content_id }));
    },
  };
}

export function writeReviews({
  db,
}: QueryContext): Pick<StorageTransaction, "putComment" | "deleteComment" | "putViewedFile" | "deleteViewedFile"> {
  return {
    async putComment(comment) {
      const { id, ...row } = toCommentRow(comment);
      await db()
        .insertInto("review_comments")
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
    },
    async deleteComment({ id }) {
      const { numDeletedRows } = await db().deleteFrom("review_comments").where("id", "=", id).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async putViewedFile({ attemptId, path, contentId }) {
      await db()
        .insertInto("viewed_files")
        .values({ attempt_id: attemptId, path, content_id: contentId })
        .onConflict((conflict) => conflict.columns(["attempt_id", "path"]).doUpdateSet({ content_id: contentId }))
        .execute();
    },
    async deleteViewedFile({ attemptId, path }) {
      await db().deleteFrom("viewed_files").where("attempt_id", "=", attemptId).where("path", "=", path).execute();
    },
  };
}
