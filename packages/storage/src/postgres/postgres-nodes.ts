import { randomBytes } from "node:crypto";
import { drainProgressSchema, type ExecutionId, executionIdSchema, type NodeId, nodeIdSchema } from "@skein/contracts";
import type { StorageNodes, StoredNode } from "@skein/engine";
import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { nodeChannel, writeLock } from "./advisory-locks.ts";
import type { NodeConnection } from "./node-connection.ts";
import type { WriterNode } from "./postgres-writer.ts";

/** Milliseconds of the database's clock, which also advances inside a transaction. */
const now = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
const sqlNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** How to find the project of an id, by its prefix. Projects and attempts are on the machine of one node. */
const nodeQueries: Readonly<Record<string, string>> = {
  prj: "SELECT node_id FROM projects WHERE id = $1",
  tsk: `SELECT coalesce((SELECT node_id FROM attempts WHERE task_id = tasks.id AND active = 1), projects.node_id) AS node_id
    FROM tasks JOIN projects ON projects.id = tasks.project_id WHERE tasks.id = $1`,
  att: "SELECT node_id FROM attempts WHERE id = $1",
  exe: `SELECT coalesce(CASE WHEN status = 'running' THEN owner_node END, attempts.node_id) AS node_id
    FROM executions JOIN attempts ON attempts.id = executions.attempt_id WHERE executions.id = $1`,
  apr: `SELECT coalesce(owner_node, attempts.node_id) AS node_id FROM approvals JOIN executions ON executions.id = approvals.execution_id
    JOIN attempts ON attempts.id = executions.attempt_id WHERE approvals.id = $1`,
  que: "SELECT node_id FROM attempts JOIN queued_messages ON attempts.id = queued_messages.attempt_id WHERE queued_messages.id = $1",
  cmt: "SELECT node_id FROM attempts JOIN review_comments ON attempts.id = review_comments.attempt_id WHERE review_comments.id = $1",
};

/** Finds the node that holds the connection of a worker, by the id of an attempt, task or execution on it. */
const connectionQueries: Readonly<Record<string, string>> = {
  tsk: "attempts.task_id = $1 AND attempts.active = 1",
  att: "attempts.id = $1",
  exe: "attempts.id = (SELECT attempt_id FROM executions WHERE id = $1)",
};

/** Running executions on workers that are connected to a node, without an owner that can look after them. */
const orphans = (nodeId: string): string => `(SELECT executions.id FROM hosts JOIN attempts ON attempts.host_id = hosts.id
  JOIN executions ON executions.attempt_id = attempts.id AND executions.status = 'running'
  WHERE hosts.connected_node_id = ${nodeId} AND executions.owner_node IS DISTINCT FROM ${nodeId}
    AND NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = executions.owner_node AND nodes.state = 'active')) AS orphans`;

interface NodeRow {
  id: string;
  name: string;
  internal_url: string;
  version: string;
  state: StoredNode["state"];
  started_at: number;
  lease_until: number;
  alive: boolean;
  running: number;
  draining: number;
  drain: string | null;
}

/** `write` runs in a transaction of this node, which checks its fence. */
export function createPostgresNodes(input: {
  node: WriterNode;
  leaseMs: number;
  connection: NodeConnection;
  write<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  lostListeners: Set<() => void>;
  changeListeners: Set<() => void>;
}): StorageNodes {
  const { node, connection, write, leaseMs } = input;

  return {
    id: node.id,
    async register({ name, version }) {
      // from now on it is notified
      await connection.connect();
      // takes the lock of writers, so that no transaction with the fence before is in progress
      const rows = await connection.queryPatiently<{ fence: number }>(
        `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(${writeLock}))
         INSERT INTO nodes (id, name, internal_url, version, state, fence, lease_until, started_at)
         SELECT $1, $2, '', $3, 'active', 1, ${now} + ${leaseMs}, ${now} FROM locked
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version, state = 'active', fence = nodes.fence + 1,
           lease_until = excluded.lease_until, started_at = excluded.started_at
         RETURNING fence`,
        [node.id, name, version],
      );
      node.fence = Number(rows[0]?.fence);
    },
    async renew({ internalUrl, drain = null }) {
      const rows = await connection.query(
        `UPDATE nodes SET lease_until = ${now} + ${leaseMs}, internal_url = $3, drain = $4 WHERE id = $1 AND fence = $2 RETURNING id`,
        [node.id, node.fence ?? 0, internalUrl, drain === null ? null : JSON.stringify(drain)],
      );
      return rows.length > 0;
    },
    async leave() {
      const { fence } = node;
      node.fence = undefined;
      await connection.query(`UPDATE nodes SET state = 'stopped', lease_until = ${now} WHERE id = $1 AND fence = $2`, [
        node.id,
        fence ?? 0,
      ]);
    },
    async list() {
      const rows = await connection.query<NodeRow>(
        `SELECT nodes.*, lease_until > ${now} AND state = 'active' AS alive,
           (SELECT count(*) FROM executions WHERE owner_node = nodes.id AND status = 'running') AS running
         FROM nodes ORDER BY started_at, id`,
      );
      return rows.map((row) => ({
        ...{ id: nodeIdSchema.parse(row.id), name: row.name, internalUrl: row.internal_url, version: row.version, state: row.state },
        startedAt: row.started_at,
        seenAt: row.state === "stopped" ? row.lease_until : row.lease_until - leaseMs,
        isAlive: row.alive,
        runningExecutions: Number(row.running),
        isDraining: row.draining === 1,
        drain: row.draining === 1 && row.drain !== null ? drainProgressSchema.parse(JSON.parse(row.drain)) : null,
      }));
    },
    async setDraining({ id, draining }) {
      const rows = await connection.query(
        "UPDATE nodes SET draining = $2, drain = NULL WHERE id = $1 AND state <> 'removed' AND draining <> $2 RETURNING id",
        [id, draining ? 1 : 0],
      );
      if (rows.length > 0) await connection.query(`SELECT pg_notify('${nodeChannel}', '')`);
      const known = await connection.query("SELECT 1 FROM nodes WHERE id = $1 AND state <> 'removed'", [id]);
      return known.length > 0;
    },
    async markLost() {
      return await write(async (db) => {
        const rows = await db
          .updateTable("nodes")
          .set({ state: "lost", fence: sql`fence + 1` })
          .where("state", "=", "active")
          .where("lease_until", "<", sqlNow)
          .where("id", "!=", node.id)
          .returning("id")
          .execute();
        return rows.map(({ id }) => nodeIdSchema.parse(id));
      });
    },
    async remove({ id, silentMs }) {
      return await write(async (db) => {
        const removed = await db
          .updateTable("nodes")
          .set({ state: "removed", fence: sql`fence + 1` })
          .where("id", "=", id)
          .where("id", "!=", node.id)
          .where("state", "!=", "removed")
          .where(({ or, eb }) => or([eb("state", "!=", "active"), eb("lease_until", "<", sqlNow)]))
          .where("lease_until", "<", sql<number>`${sqlNow} - ${sql.lit(Math.round(silentMs))}`)
          .returning("id")
          .execute();
        if (removed.length === 0) return undefined;
        const claimed = await db
          .updateTable("executions")
          .set({ owner_node: node.id })
          .where("owner_node", "=", id)
          .where("status", "=", "running")
          .returning("id")
          .execute();
        return claimed.map((execution) => executionIdSchema.parse(execution.id));
      });
    },
    async claimHost({ id }) {
      await write(async (db) => {
        await db.updateTable("hosts").set({ connected_node_id: node.id }).where("id", "=", id).execute();
        await sql`SELECT pg_notify(${sql.lit(nodeChannel)}, '')`.execute(db);
      });
    },
    async releaseHost({ id }) {
      await write(async (db) => {
        const own = db.updateTable("hosts").set({ connected_node_id: null }).where("id", "=", id);
        await own.where("connected_node_id", "=", node.id).execute();
        await sql`SELECT pg_notify(${sql.lit(nodeChannel)}, '')`.execute(db);
      });
    },
    async takeOver() {
      // runs with every renewal and nearly always finds none: reading does not take the lock of writers
      const found = await connection.query(`SELECT 1 FROM ${orphans("$1")} LIMIT 1`, [node.id]);
      if (found.length === 0) return [];
      return await write(async (db) => {
        const { rows } = await sql<{ id: ExecutionId }>`
          UPDATE executions SET owner_node = ${node.id}
          WHERE id IN (SELECT id FROM ${sql.raw(orphans(`'${node.id}'`))}) RETURNING id`.execute(db);
        return rows.map(({ id }) => executionIdSchema.parse(id));
      });
    },
    async listTransferable() {
      const rows = await connection.query<{ id: ExecutionId }>(
        `SELECT executions.id FROM executions JOIN attempts ON attempts.id = executions.attempt_id
           JOIN hosts ON hosts.id = attempts.host_id JOIN nodes ON nodes.id = hosts.connected_node_id
         WHERE executions.owner_node = $1 AND executions.status = 'running' AND nodes.id <> $1
           AND nodes.state = 'active' AND nodes.draining = 0 AND nodes.lease_until > ${now}`,
        [node.id],
      );
      return rows.map(({ id }) => id);
    },
    async transfer({ executionId }) {
      await write(async (db) => {
        const own = db.updateTable("executions").set({ owner_node: null }).where("id", "=", executionId);
        await own.where("owner_node", "=", node.id).where("status", "=", "running").execute();
        await sql`SELECT pg_notify(${sql.lit(nodeChannel)}, '')`.execute(db);
      });
    },
    async adopt() {
      await write(async (db) => {
        for (const table of ["projects", "attempts"] as const) {
          await db.updateTable(table).set({ node_id: node.id }).where("node_id", "is", null).execute();
        }
        const running = db.updateTable("executions").set({ owner_node: node.id }).where("owner_node", "is", null);
        await running.where("status", "=", "running").execute();
      });
    },
    async findNodeOf({ id }) {
      const query = nodeQueries[id.slice(0, 3)];
      if (query === undefined) return undefined;
      const [row] = await connection.query<{ node_id: string | null }>(query, [id]);
      return row === undefined || row.node_id === null ? undefined : (row.node_id as NodeId);
    },
    async findConnectionOf({ id }) {
      const condition = connectionQueries[id.slice(0, 3)];
      if (condition === undefined) return undefined;
      const [row] = await connection.query<{ node_id: NodeId | null }>(
        `SELECT connected_node_id AS node_id FROM attempts JOIN hosts ON hosts.id = attempts.host_id WHERE ${condition}`,
        [id],
      );
      return row?.node_id ?? undefined;
    },
    async requestStop({ executionId, at }) {
      await write(async (db) => {
        const running = db.updateTable("executions").set({ stop_requested_at: at }).where("id", "=", executionId);
        await running.where("status", "=", "running").execute();
        await sql`SELECT pg_notify(${sql.lit(nodeChannel)}, '')`.execute(db);
      });
    },
    async listStopRequests() {
      const rows = await connection.query<{ id: ExecutionId; at: number }>(
        "SELECT id, stop_requested_at AS at FROM executions WHERE owner_node = $1 AND status = 'running' AND stop_requested_at IS NOT NULL",
        [node.id],
      );
      return rows.map(({ id, at }) => ({ executionId: id, at }));
    },
    async listSettings() {
      return await connection.query<{ name: string; value: string }>("SELECT name, value FROM shared_settings");
    },
    async changeSetting({ name, change }) {
      await write(async (db) => {
        const before = await db.selectFrom("shared_settings").select("value").where("name", "=", name).executeTakeFirst();
        const value = change(before?.value ?? null);
        await db
          .insertInto("shared_settings")
          .values({ name, value })
          .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
          .execute();
        await sql`SELECT pg_notify(${sql.lit(nodeChannel)}, '')`.execute(db);
      });
    },
    async readSecret() {
      await connection.query("INSERT INTO cluster VALUES (1, $1) ON CONFLICT DO NOTHING", [randomBytes(32).toString("base64url")]);
      const [row] = await connection.query<{ secret: string }>("SELECT secret FROM cluster");
      return row?.secret ?? "";
    },
    async listSessions() {
      const rows = await connection.query<{ cookie_hash: string; secret_hash: string; created_at: number; expires_at: number }>(
        "SELECT * FROM browser_sessions ORDER BY created_at",
      );
      return rows.map((row) => ({
        cookieHash: row.cookie_hash,
        secretHash: row.secret_hash,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      }));
    },
    async putSessions(sessions) {
      for (const { cookieHash, secretHash, createdAt, expiresAt } of sessions) {
        await connection.query("INSERT INTO browser_sessions VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", [
          cookieHash,
          secretHash,
          createdAt,
          expiresAt,
        ]);
      }
    },
    async deleteSessions({ cookieHashes }) {
      await connection.query("DELETE FROM browser_sessions WHERE cookie_hash = ANY($1)", [cookieHashes]);
      await connection.query(`SELECT pg_notify('${nodeChannel}', '')`);
    },
    async wakeOthers() {
      await connection.query(`SELECT pg_notify('${nodeChannel}', '')`);
    },
    onLost(listener) {
      input.lostListeners.add(listener);
    },
    onChanged(listener) {
      input.changeListeners.add(listener);
    },
  };
}
