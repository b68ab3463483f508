import { type PermissionRule, permissionRuleSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { PermissionRuleTable } from "../database.ts";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

function toPermissionRule(row: PermissionRuleTable): PermissionRule {
  const fields = { id: row.id, projectId: row.project_id, tool: row.tool, commandPrefix: row.command_prefix, createdAt: row.created_at };
  return parseRow(permissionRuleSchema, fields, `permission rule ${row.id}`);
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
    async insertPermissionRule({ id, projectId, tool, commandPrefix, createdAt }) {
      const inserted = await db()
        .insertInto("permission_rules")
        .values({ id, project_id: projectId, tool, command_prefix: commandPrefix, created_at: createdAt })
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
