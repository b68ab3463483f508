import type { SequencedEvent } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import type { Kysely } from "kysely";
import { createTransaction } from "./create-transaction.ts";
import type { Database } from "./database.ts";
import type { OpenWork } from "./group-commit.ts";
import type { QueryContext } from "./query-context.ts";

/** A unit of work on the connection that writes. */
export function openWork(db: Kysely<Database>, database: Omit<QueryContext, "db">): OpenWork<StorageTransaction, SequencedEvent> {
  let ended = false;
  const written: SequencedEvent[] = [];
  const context: QueryContext = {
    ...database,
    db() {
      if (ended) throw new Error("The transaction is over: await everything that it does inside its work.");
      return db;
    },
  };
  const transaction = createTransaction(context, (event) => written.push(event));
  return {
    transaction,
    written,
    end() {
      ended = true;
    },
  };
}
