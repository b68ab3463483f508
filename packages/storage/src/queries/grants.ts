import { type PermissionGrant, permissionGrantSchema, type StoredGrant, storedGrantSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { GrantTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

function toStoredGrant(row: GrantTable): StoredGrant {
  const name = `grant ${row.id}`;
  const grant = parseJsonColumn(row.permission_grant, name);
  return parseRow(storedGrantSchema, { id: row.id, projectId: row.project_id, grant, createdAt: row.created_at }, name);
}

/** Equal grants must produce equal text: the database stores each once. */
function toCanonicalJson(grant: PermissionGrant): string {
  return JSON.stringify(permissionGrantSchema.parse(grant));
}

export function readGrants({ db }: QueryContext): Pick<StorageReader, "listGrants"> {
  return {
    async listGrants({ projectId }) {
      const grants = db().selectFrom("permission_rules").selectAll().where("project_id", "=", projectId);
      return (await grants.orderBy("created_at").orderBy("id").execute()).map(toStoredGrant);
    },
  };
}

export function writeGrants({ db }: QueryContext): Pick<StorageTransaction, "insertGrant" | "deleteGrant"> {
  return {
    async insertGrant({ id, projectId, grant, createdAt }) {
      const inserted = await db()
        .insertInto("permission_rules")
        .values({ id, project_id: projectId, permission_grant: toCanonicalJson(grant), created_at: createdAt })
        .onConflict((known) => known.doNothing())
        .executeTakeFirst();
      return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async deleteGrant({ id }) {
      const deleted = await db().deleteFrom("permission_rules").where("id", "=", id).executeTakeFirst();
      return deleted.numDeletedRows > 0n;
    },
  };
}
