import { type PermissionGrant, type PermissionRule, permissionGrantSchema, permissionRuleSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { PermissionRuleTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

function toPermissionRule(row: PermissionRuleTable): PermissionRule {
  const name = `permission rule ${row.id}`;
  const grant = parseJsonColumn(row.permission_grant, name);
  return parseRow(permissionRuleSchema, { id: row.id, projectId: row.project_id, grant, createdAt: row.created_at }, name);
}

/** The same grant has to give the same text: the database keeps one of each. */
function toCanonicalJson(grant: PermissionGrant): string {
  return JSON.stringify(permissionGrantSchema.parse(grant));
}

export function readPermissionRules({ db }: QueryContext): Pick<StorageReader, "listPermissionRules"> {
  return {
    async listPermissionRules({ projectId }) {
      const rules = db().selectFrom("permission_rules").selectAll().where("project_id", "=", projectId);
      return (await rules.orderBy("created_at").orderBy("id").execute()).map(toPermissionRule);
    },
  };
}

export function writePermissionRules({ db }: QueryContext): Pick<StorageTransaction, "insertPermissionRule" | "deletePermissionRule"> {
  return {
    async insertPermissionRule({ id, projectId, grant, createdAt }) {
      const inserted = await db()
        .insertInto("permission_rules")
        .values({ id, project_id: projectId, permission_grant: toCanonicalJson(grant), created_at: createdAt })
        .onConflict((known) => known.doNothing())
        .executeTakeFirst();
      return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async deletePermissionRule({ id }) {
      const deleted = await db().deleteFrom("permission_rules").where("id", "=", id).executeTakeFirst();
      return deleted.numDeletedRows > 0n;
    },
  };
}
