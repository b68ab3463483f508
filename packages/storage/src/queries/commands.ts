import { commandResultSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

export function readCommands({ db }: QueryContext): Pick<StorageReader, "findCommandResult" | "findCommandHash"> {
  return {
    async findCommandResult({ id }) {
      const row = await db().selectFrom("commands").select("result").where("id", "=", id).executeTakeFirst();
      return row && parseRow(commandResultSchema, parseJsonColumn(row.result, `command ${id}`), `command ${id}`);
    },
    async findCommandHash({ id }) {
      const row = await db().selectFrom("commands").select("content_hash").where("id", "=", id).executeTakeFirst();
      return row?.content_hash ?? undefined;
    },
  };
}

export function writeCommands({ db }: QueryContext): Pick<StorageTransaction, "recordCommand"> {
  return {
    /** A duplicate id rejects, so that its transaction is rolled back. */
    async recordCommand({ id, result, contentHash, at }) {
      await db()
        .insertInto("commands")
        .values({ id, result: JSON.stringify(result), content_hash: contentHash ?? null, at })
        .execute();
    },
  };
}
