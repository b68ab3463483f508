import { commandResultSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

export function readCommands({ db }: QueryContext): Pick<StorageReader, "findCommandResult"> {
  return {
    async findCommandResult({ id }) {
      const row = await db().selectFrom("commands").select("result").where("id", "=", id).executeTakeFirst();
      return row && parseRow(commandResultSchema, parseJsonColumn(row.result, `command ${id}`), `command ${id}`);
    },
  };
}

export function writeCommands({ db }: QueryContext): Pick<StorageTransaction, "recordCommand"> {
  return {
    /** A duplicate id rejects, so that its transaction is rolled back. */
    async recordCommand({ id, result, at }) {
      await db()
        .insertInto("commands")
        .values({ id, result: JSON.stringify(result), at })
        .execute();
    },
  };
}
