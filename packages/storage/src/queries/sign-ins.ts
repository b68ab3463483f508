import { type ApiToken, apiTokenSchema, type Invitation, invitationSchema, type UserSession, userSessionSchema } from "@skein/contracts";
import type { TeamReader, TeamTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import type { ApiTokenTable, InvitationTable, UserSessionTable } from "../team-database.ts";
import { fromActorColumn, toActorColumn } from "./actor-column.ts";

function toInvitation(row: Selectable<InvitationTable>): Invitation {
  const name = `invitation ${row.id}`;
  const fields = {
    ...{ id: row.id, email: row.email, isAdmin: row.admin === 1, projects: parseJsonColumn(row.projects, name) },
    ...fromActorColumn(row.invited_by, name),
    ...{ createdAt: row.created_at, expiresAt: row.expires_at, usedBy: row.used_by },
  };
  return parseRow(invitationSchema, fields, name);
}

function toSession(row: Selectable<UserSessionTable>): UserSession {
  const { id, address } = row;
  const times = { createdAt: row.created_at, expiresAt: row.expires_at, lastUsedAt: row.last_used_at };
  return parseRow(userSessionSchema, { id, userId: row.user_id, address, userAgent: row.user_agent, ...times }, `session ${id}`);
}

function toToken(row: Selectable<ApiTokenTable>): ApiToken {
  const { id, name, scope } = row;
  const projectIds = row.projects === null ? null : parseJsonColumn(row.projects, `token ${id}`);
  const limits = { depth: row.max_depth, starts: row.max_starts, costUsd: row.max_cost_usd };
  const times = { createdAt: row.created_at, expiresAt: row.expires_at, lastUsedAt: row.last_used_at };
  const owner = { userId: row.user_id, executionId: row.execution_id };
  return parseRow(apiTokenSchema, { id, ...owner, name, scope, projectIds, limits, ...times }, `token ${id}`);
}

/** Invitations, browser sessions, API tokens and limits of sign-ins. */
export function readSignIns({
  db,
}: QueryContext): Pick<
  TeamReader,
  | "listInvitations"
  | "findInvitation"
  | "findUserSession"
  | "listUserSessions"
  | "findApiToken"
  | "listApiTokens"
  | "findSignInLimit"
  | "listSealedKeys"
> {
  return {
    async listInvitations({ projectId } = {}) {
      const rows = await db().selectFrom("invitations").selectAll().orderBy("created_at").orderBy("id").execute();
      const all = rows.map(toInvitation);
      return projectId === undefined ? all : all.filter(({ projects }) => projects.some((one) => one.projectId === projectId));
    },
    async findInvitation(query) {
      const all = db().selectFrom("invitations").selectAll();
      const row = await ("id" in query ? all.where("id", "=", query.id) : all.where("code_hash", "=", query.codeHash)).executeTakeFirst();
      return row && toInvitation(row);
    },
    async findUserSession(query) {
      const all = db().selectFrom("user_sessions").selectAll();
      const row = await ("id" in query
        ? all.where("id", "=", query.id)
        : all.where("cookie_hash", "=", query.cookieHash)
      ).executeTakeFirst();
      return row && { ...toSession(row), cookieHash: row.cookie_hash, secretHash: row.secret_hash };
    },
    async listUserSessions({ userId }) {
      const rows = await db()
        .selectFrom("user_sessions")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(toSession);
    },
    async findApiToken(query) {
      const all = db().selectFrom("api_tokens").selectAll();
      const row = await ("id" in query ? all.where("id", "=", query.id) : all.where("token_hash", "=", query.tokenHash)).executeTakeFirst();
      return row && toToken(row);
    },
    async listApiTokens({ userId } = {}) {
      const rows = await db()
        .selectFrom("api_tokens")
        .selectAll()
        .$if(userId !== undefined, (all) => all.where("user_id", "=", userId ?? ""))
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(toToken);
    },
    async findSignInLimit({ subject }) {
      const row = await db().selectFrom("sign_in_limits").selectAll().where("subject", "=", subject).executeTakeFirst();
      return row && { subject, failures: row.failures, blockedUntil: row.blocked_until, updatedAt: row.updated_at };
    },
    async listSealedKeys({ owners }) {
      if (owners.length === 0) return [];
      const rows = await db().selectFrom("owned_keys").selectAll().where("owner", "in", owners).orderBy("owner").orderBy("name").execute();
      type Keys = Awaited<ReturnType<TeamReader["listSealedKeys"]>>;
      return rows.map(({ updated_at: updatedAt, ...row }) => ({ ...row, updatedAt })) as Keys;
    },
  };
}

export function writeSignIns({
  db,
}: QueryContext): Pick<
  TeamTransaction,
  | "insertInvitation"
  | "useInvitation"
  | "deleteInvitation"
  | "insertUserSession"
  | "deleteUserSessions"
  | "insertApiToken"
  | "deleteApiTokens"
  | "markUsed"
  | "insertOneTimeCode"
  | "takeOneTimeCode"
  | "putSignInLimit"
  | "deleteSignInLimit"
  | "putSealedKey"
  | "purgeExpired"
> {
  return {
    async insertInvitation({ id, codeHash, email, isAdmin, projects, by, createdAt, expiresAt, usedBy }) {
      const columns = { email, admin: isAdmin ? 1 : 0, projects: JSON.stringify(projects), invited_by: toActorColumn(by) };
      await db()
        .insertInto("invitations")
        .values({ id, code_hash: codeHash, ...columns, created_at: createdAt, expires_at: expiresAt, used_by: usedBy })
        .execute();
    },
    async useInvitation({ codeHash, userId, at }) {
      const row = await db()
        .updateTable("invitations")
        .set({ used_by: userId })
        .where("code_hash", "=", codeHash)
        .where("used_by", "is", null)
        .where("expires_at", ">", at)
        .returningAll()
        .executeTakeFirst();
      return row && toInvitation(row);
    },
    async deleteInvitation({ id }) {
      const { numDeletedRows } = await db().deleteFrom("invitations").where("id", "=", id).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async insertUserSession({ id, userId, cookieHash, secretHash, address, userAgent, createdAt, expiresAt, lastUsedAt }) {
      const hashes = { cookie_hash: cookieHash, secret_hash: secretHash };
      const times = { created_at: createdAt, expires_at: expiresAt, last_used_at: lastUsedAt };
      await db()
        .insertInto("user_sessions")
        .values({ id, user_id: userId, ...hashes, address, user_agent: userAgent, ...times })
        .execute();
    },
    async deleteUserSessions(query) {
      const all = db().deleteFrom("user_sessions");
      const { numDeletedRows } = await ("id" in query
        ? all.where("id", "=", query.id)
        : all.where("user_id", "=", query.userId).$if(query.except !== undefined, (others) => others.where("id", "<>", query.except ?? ""))
      ).executeTakeFirst();
      return Number(numDeletedRows);
    },
    async insertApiToken({ id, userId, executionId, name, tokenHash, scope, projectIds, limits, createdAt, expiresAt, lastUsedAt }) {
      const columns = { name, token_hash: tokenHash, scope, projects: projectIds === null ? null : JSON.stringify(projectIds) };
      const allowed = { max_depth: limits.depth, max_starts: limits.starts, max_cost_usd: limits.costUsd };
      const times = { created_at: createdAt, expires_at: expiresAt, last_used_at: lastUsedAt };
      await db()
        .insertInto("api_tokens")
        .values({ id, user_id: userId, execution_id: executionId, ...columns, ...allowed, ...times })
        .execute();
    },
    async deleteApiTokens(query) {
      const all = db().deleteFrom("api_tokens");
      const chosen =
        "id" in query
          ? all.where("id", "=", query.id)
          : "userId" in query
            ? all.where("user_id", "=", query.userId)
            : all.where("execution_id", "=", query.executionId);
      const { numDeletedRows } = await chosen.executeTakeFirst();
      return Number(numDeletedRows);
    },
    async markUsed({ id, at }) {
      const table = id.startsWith("ses_") ? "user_sessions" : "api_tokens";
      await db().updateTable(table).set({ last_used_at: at }).where("id", "=", id).execute();
    },
    async insertOneTimeCode({ codeHash, data, expiresAt }) {
      await db().insertInto("one_time_codes").values({ code_hash: codeHash, data, expires_at: expiresAt }).execute();
    },
    async takeOneTimeCode({ codeHash, at }) {
      const row = await db().deleteFrom("one_time_codes").where("code_hash", "=", codeHash).returningAll().executeTakeFirst();
      return row === undefined || row.expires_at <= at ? undefined : row.data;
    },
    async putSignInLimit({ subject, failures, blockedUntil, updatedAt }) {
      const row = { failures, blocked_until: blockedUntil, updated_at: updatedAt };
      await db()
        .insertInto("sign_in_limits")
        .values({ subject, ...row })
        .onConflict((known) => known.column("subject").doUpdateSet(row))
        .execute();
    },
    async deleteSignInLimit({ subject }) {
      await db().deleteFrom("sign_in_limits").where("subject", "=", subject).execute();
    },
    async putSealedKey({ owner, name, sealed, updatedAt }) {
      await db().deleteFrom("owned_keys").where("owner", "=", owner).where("name", "=", name).execute();
      if (sealed !== null) await db().insertInto("owned_keys").values({ owner, name, sealed, updated_at: updatedAt }).execute();
    },
    async purgeExpired({ at, limitsBefore }) {
      await db().deleteFrom("user_sessions").where("expires_at", "<=", at).execute();
      await db().deleteFrom("api_tokens").where("expires_at", "<=", at).execute();
      await db().deleteFrom("one_time_codes").where("expires_at", "<=", at).execute();
      await db().deleteFrom("sign_in_limits").where("updated_at", "<", limitsBefore).execute();
    },
  };
}
