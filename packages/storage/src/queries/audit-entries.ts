import { type AuditEntry, auditEntrySchema } from "@skein/contracts";
import type { TeamReader, TeamTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import type { AuditEntryTable } from "../team-database.ts";

function toEntry(row: Selectable<AuditEntryTable>): AuditEntry {
  const name = `audit entry ${row.number}`;
  const { number, at, caller, action, outcome, address } = row;
  const fields = {
    ...{ number, at, caller, action, outcome, address },
    ...(row.user_id === null ? {} : { by: { id: row.user_id, name: row.user_name } }),
    ...(row.token_id === null ? {} : { tokenId: row.token_id }),
    ...(row.project_id === null ? {} : { projectId: row.project_id }),
    subjects: parseJsonColumn(row.subjects, name),
    ...(row.details === null ? {} : { details: parseJsonColumn(row.details, name) }),
  };
  return parseRow(auditEntrySchema, fields, name);
}

export function readAuditEntries({ db }: QueryContext): Pick<TeamReader, "listAuditEntries"> {
  return {
    async listAuditEntries({ before, limit, userId, projectId, action }) {
      const rows = await db()
        .selectFrom("audit_entries")
        .selectAll()
        .$if(before !== undefined, (all) => all.where("number", "<", before ?? 0))
        .$if(userId !== undefined, (all) => all.where("user_id", "=", userId ?? ""))
        .$if(projectId !== undefined, (all) => all.where("project_id", "=", projectId ?? ""))
        .$if(action !== undefined, (all) => all.where("action", "=", action ?? ""))
        .orderBy("number", "desc")
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },
  };
}

export function writeAuditEntries({ db }: QueryContext): Pick<TeamTransaction, "appendAuditEntry"> {
  return {
    async appendAuditEntry({ at, caller, by, tokenId, action, outcome, projectId, subjects, details, address }) {
      await db()
        .insertInto("audit_entries")
        .values({
          ...{ at, caller, action, outcome, address },
          ...{ user_id: by?.id ?? null, user_name: by?.name ?? null, token_id: tokenId ?? null, project_id: projectId ?? null },
          subjects: JSON.stringify(subjects),
          details: details === undefined ? null : JSON.stringify(details),
        })
        .execute();
    },
  };
}
