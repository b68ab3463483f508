import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { QueryContext } from "../query-context.ts";

const onlyRow = 1;

export function readInstance({ db, nodeId }: QueryContext): Pick<StorageReader, "findInstance"> {
  /** From before the database was shared: the first node that starts continues it. */
  const findOnly = () => db().selectFrom("instance").select(["epoch", "home"]).executeTakeFirst();
  return {
    async findInstance() {
      if (nodeId === undefined) return findOnly();
      const nodes = await db().selectFrom("nodes").select(["id", "epoch", "home"]).where("epoch", "is not", null).execute();
      const own = nodes.find(({ id }) => id === nodeId);
      if (own === undefined) return nodes.length === 0 ? findOnly() : undefined;
      return { epoch: own.epoch ?? "", home: own.home ?? "" };
    },
  };
}

export function writeInstance({ db, nodeId }: QueryContext): Pick<StorageTransaction, "putInstance"> {
  return {
    async putInstance(instance) {
      if (nodeId !== undefined) await db().updateTable("nodes").set(instance).where("id", "=", nodeId).execute();
      await db()
        .insertInto("instance")
        .values({ id: onlyRow, ...instance })
        .onConflict((known) => known.column("id").doUpdateSet(instance))
        .execute();
    },
  };
}
