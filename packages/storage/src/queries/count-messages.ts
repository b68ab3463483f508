import { setImmediate } from "node:timers/promises";
import type { AttemptId } from "@skein/contracts";
import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { prepareQuery } from "../prepared-query.ts";
import type { QueryContext } from "../query-context.ts";

/** Approximate number of index entries that are counted before other work may run. */
const countedAtOnce = 20_000;

interface ExecutionSpan {
  id: string;
  first: number;
  last: number;
}

/** Two index lookups per execution, however many messages it has. */
const listSpans = prepareQuery((db, { attemptId }: { attemptId: AttemptId }) =>
  db
    .selectFrom("executions")
    .select([
      "id",
      sql<number | null>`(SELECT min(position) FROM messages WHERE execution_id = executions.id)`.as("first"),
      sql<number | null>`(SELECT max(position) FROM messages WHERE execution_id = executions.id)`.as("last"),
    ])
    .where("attempt_id", "=", attemptId)
    .orderBy("number"),
);

const countRange = prepareQuery((db, { id, first, last }: ExecutionSpan) =>
  db
    .selectFrom("messages")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("execution_id", "=", id)
    .where("position", ">=", first)
    .where("position", "<=", last),
);

const findPositionFrom = prepareQuery((db, { id, first }: Pick<ExecutionSpan, "id" | "first">) =>
  db
    .selectFrom("messages")
    .select((one) => one.fn.min("position").as("position"))
    .where("execution_id", "=", id)
    .where("position", ">=", first),
);

/** Splits spans into parts that are not much longer than `countedAtOnce`. */
async function* listParts(db: Kysely<Database>, spans: readonly ExecutionSpan[]): AsyncGenerator<ExecutionSpan> {
  for (const { id, first, last } of spans) {
    for (let from: number | null = first; from !== null && from <= last; ) {
      const to: number = Math.min(last, from + countedAtOnce - 1);
      yield { id, first: from, last: to };
      // with many unused positions, counting part by part would take too long
      from = to === last ? null : ((await findPositionFrom(db, { id, first: to + 1 })).rows[0]?.position ?? null);
    }
  }
}

/** Counts in the index; other work may run in between. Messages that are added meanwhile may be missing. */
export async function countByExecution({ db }: QueryContext, attemptId: AttemptId): Promise<{ id: string; count: number }[]> {
  const counts = new Map<string, number>();
  let parts: ExecutionSpan[] = [];
  let length = 0;
  const countParts = async () => {
    const runs = await countRange.each(db(), parts);
    for (const [index, { id }] of parts.entries()) counts.set(id, (counts.get(id) ?? 0) + (runs[index]?.rows[0]?.count ?? 0));
    parts = [];
    length = 0;
  };
  const spans = (await listSpans(db(), { attemptId })).rows.flatMap(({ id, first, last }) =>
    first === null || last === null ? [] : [{ id, first, last }],
  );
  for await (const part of listParts(db(), spans)) {
    parts.push(part);
    length += part.last - part.first + 1;
    if (length < countedAtOnce) continue;
    await countParts();
    await setImmediate();
  }
  await countParts();
  return [...counts].map(([id, count]) => ({ id, count }));
}
