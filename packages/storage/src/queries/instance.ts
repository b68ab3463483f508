import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { QueryContext } from "../query-context.ts";

const onlyRow = 1;

export function readInstance({ db }: QueryContext): Pick<StorageReader, "findInstance"> {
  return {
    findInstance: () => db().selectFrom("instance").select(["epoch", "home"]).executeTakeFirst(),
  };
}

export function writeInstance({ db }: QueryContext): Pick<StorageTransaction, "putInstance"> {
  return {
    async putInstance(instance) {
      await db()
        .insertInto("instance")
        .values({ id: onlyRow, ...instance })
        .onConflict((known) => known.column("id").doUpdateSet(instance))
        .execute();
    },
  };
}
