import { type StoredHost, storedHostSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import type { HostTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import { expectUpdated } from "../missing-row.ts";
import type { QueryContext } from "../query-context.ts";

function toHost(row: Selectable<HostTable>): StoredHost {
  const { id, kind, name, capacity, version, state } = row;
  const fields = {
    ...{ id, kind, name, capacity, version, state, tokenHash: row.token_hash },
    tags: parseJsonColumn(row.tags, `host ${id}`),
    agents: parseJsonColumn(row.agents, `host ${id}`),
    expiresAt: row.expires_at,
    lastSeenAt: row.last_seen_at,
    connectedNodeId: row.connected_node_id,
    createdAt: row.created_at,
  };
  return parseRow(storedHostSchema, fields, `host ${id}`);
}

function toRow(host: StoredHost): HostTable {
  const { id, kind, name, capacity, version, state } = host;
  return {
    ...{ id, kind, name, capacity, version, state, token_hash: host.tokenHash },
    tags: JSON.stringify(host.tags),
    agents: JSON.stringify(host.agents),
    expires_at: host.expiresAt,
    last_seen_at: host.lastSeenAt,
    connected_node_id: host.connectedNodeId,
    created_at: host.createdAt,
  };
}

export function readHosts({ db }: QueryContext): Pick<StorageReader, "listHosts" | "findHost"> {
  return {
    async listHosts() {
      const rows = await db().selectFrom("hosts").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(toHost);
    },
    async findHost(wanted) {
      const [column, value] = "id" in wanted ? (["id", wanted.id] as const) : (["token_hash", wanted.tokenHash] as const);
      const row = await db().selectFrom("hosts").selectAll().where(column, "=", value).executeTakeFirst();
      return row && toHost(row);
    },
  };
}

export function writeHosts({ db }: QueryContext): Pick<StorageTransaction, "insertHost" | "updateHost" | "deleteHost"> {
  return {
    async insertHost(host) {
      await db().insertInto("hosts").values(toRow(host)).execute();
    },
    async updateHost(host) {
      const { id, kind: _kind, created_at: _created, ...changes } = toRow(host);
      expectUpdated(await db().updateTable("hosts").set(changes).where("id", "=", id).executeTakeFirst(), `host ${id}`);
    },
    async deleteHost({ id }) {
      await db().deleteFrom("hosts").where("id", "=", id).execute();
    },
  };
}
