import { landingSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { fromActorColumn, toActorColumn } from "./actor-column.ts";

export function readLandings({ db }: QueryContext): Pick<StorageReader, "findLanding"> {
  return {
    async findLanding({ attemptId }) {
      const row = await db().selectFrom("landings").selectAll().where("attempt_id", "=", attemptId).executeTakeFirst();
      if (row === undefined) return undefined;
      const { method, branch } = row;
      const fields = {
        method,
        branch,
        commit: row.commit_id,
        previous: row.previous_id,
        head: row.head_id,
        landedAt: row.landed_at,
        ...fromActorColumn(row.landed_by, `landing of ${attemptId}`),
      };
      return parseRow(landingSchema, fields, `landing of ${attemptId}`);
    },
  };
}

export function writeLandings({ db }: QueryContext): Pick<StorageTransaction, "putLanding" | "deleteLanding"> {
  return {
    async putLanding({ attemptId, landing }) {
      const { method, branch, commit, previous, head, landedAt, by } = landing;
      const row = {
        method,
        branch,
        commit_id: commit,
        previous_id: previous,
        head_id: head,
        landed_at: landedAt,
        landed_by: toActorColumn(by),
      };
      await db()
        .insertInto("landings")
        .values({ attempt_id: attemptId, ...row })
        .onConflict((conflict) => conflict.column("attempt_id").doUpdateSet(row))
        .execute();
    },
    async deleteLanding({ attemptId }) {
      await db().deleteFrom("landings").where("attempt_id", "=", attemptId).execute();
    },
  };
}
