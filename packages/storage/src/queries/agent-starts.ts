import { type AgentStart, agentStartSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

export function readAgentStarts({ db }: QueryContext): Pick<StorageReader, "findAgentStart" | "listAgentStarts" | "sumAgentStarts"> {
  const select = () =>
    db()
      .selectFrom("agent_starts")
      .select([
        "subject",
        "attempt_id as attemptId",
        "token_id as tokenId",
        "parent_execution as parentExecution",
        "parent_attempt as parentAttempt",
        "root",
        "depth",
        "created_at as createdAt",
      ]);
  const parse = (row: { subject: string }): AgentStart => parseRow(agentStartSchema, row, `start ${row.subject}`);
  return {
    async findAgentStart({ subject }) {
      const row = await select().where("subject", "=", subject).executeTakeFirst();
      return row && parse(row);
    },
    async listAgentStarts({ attemptId }) {
      return (await select().where("attempt_id", "=", attemptId).orderBy("created_at").orderBy("subject").execute()).map(parse);
    },
    async sumAgentStarts({ root }) {
      const rows = await db()
        .selectFrom("agent_starts")
        .leftJoin("executions", "executions.id", "agent_starts.subject")
        .select(["agent_starts.subject", "executions.usage"])
        .where("root", "=", root)
        .execute();
      const costs = rows.map(({ subject, usage }) => {
        const known = usage === null ? undefined : (parseJsonColumn(usage, `usage of ${subject}`) as { costUsd?: unknown } | null);
        return typeof known?.costUsd === "number" ? known.costUsd : 0;
      });
      return { starts: rows.length, costUsd: costs.reduce((sum, cost) => sum + cost, 0) };
    },
  };
}

export function writeAgentStarts({ db }: QueryContext): Pick<StorageTransaction, "insertAgentStart" | "moveAgentStart"> {
  return {
    async insertAgentStart(start) {
      await db()
        .insertInto("agent_starts")
        .values({
          ...{ subject: start.subject, attempt_id: start.attemptId, token_id: start.tokenId },
          ...{ parent_execution: start.parentExecution, parent_attempt: start.parentAttempt, root: start.root },
          ...{ depth: start.depth, created_at: start.createdAt },
        })
        .execute();
    },
    async moveAgentStart({ from, to }) {
      await db().updateTable("agent_starts").set({ subject: to }).where("subject", "=", from).execute();
    },
  };
}
