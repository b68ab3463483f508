import { type Member, memberSchema, membershipSchema, userSchema } from "@skein/contracts";
import { StorageConstraintError, type StoredUser, type TeamReader, type TeamTransaction } from "@skein/engine";
import { type Selectable, sql } from "kysely";
import { z } from "zod";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import type { UserTable } from "../team-database.ts";

const storedUserSchema = userSchema.omit({ hasPassword: true }).extend({ passwordHash: z.string().nullable() });

function toUser(row: Selectable<UserTable>): StoredUser {
  const { id, email, name } = row;
  const times = { createdAt: row.created_at, updatedAt: row.updated_at, deactivatedAt: row.deactivated_at };
  return parseRow(storedUserSchema, { id, email, name, isAdmin: row.admin === 1, passwordHash: row.password, ...times }, `user ${id}`);
}

export function readUsers({
  db,
}: QueryContext): Pick<TeamReader, "countUsers" | "listUsers" | "findUser" | "listMemberships" | "listMembers"> {
  return {
    async countUsers() {
      const row = await db()
        .selectFrom("users")
        .select((one) => one.fn.countAll().as("count"))
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async listUsers() {
      const rows = await db().selectFrom("users").selectAll().orderBy("name").orderBy("id").execute();
      return rows.map(toUser);
    },
    async findUser(query) {
      const users = db().selectFrom("users").selectAll("users");
      const wanted =
        "id" in query
          ? users.where("users.id", "=", query.id)
          : "email" in query
            ? users.where("users.email", "=", query.email)
            : users
                .innerJoin("user_identities", "user_identities.user_id", "users.id")
                .where("user_identities.issuer", "=", query.issuer)
                .where("user_identities.subject", "=", query.subject);
      const row = await wanted.executeTakeFirst();
      return row && toUser(row);
    },
    async listMemberships({ userId }) {
      // a membership outlives its project
      const rows = await db()
        .selectFrom("project_members")
        .select(["project_id", "role"])
        .where("user_id", "=", userId)
        .orderBy("project_id")
        .execute();
      return rows.map((row) => parseRow(membershipSchema, { projectId: row.project_id, role: row.role }, `membership of ${userId}`));
    },
    async listMembers({ projectId }) {
      const rows = await db()
        .selectFrom("project_members")
        .innerJoin("users", "users.id", "project_members.user_id")
        .select(["users.id", "users.name", "users.email", "users.deactivated_at", "project_members.role"])
        .where("project_members.project_id", "=", projectId)
        .orderBy(sql`CASE role WHEN 'owner' THEN 0 WHEN 'member' THEN 1 ELSE 2 END`)
        .orderBy("users.name")
        .orderBy("users.id")
        .execute();
      return rows.map(({ id, name, email, deactivated_at, role }): Member => {
        const fields = { user: { id, name, email, isActive: deactivated_at === null }, role };
        return parseRow(memberSchema, fields, `member ${id} of ${projectId}`);
      });
    },
  };
}

export function writeUsers({ db }: QueryContext): Pick<TeamTransaction, "putUser" | "putUserIdentity" | "setMember"> {
  return {
    async putUser(user) {
      const { id, email, name } = user;
      const taken = await db().selectFrom("users").select("id").where("email", "=", email).where("id", "<>", id).executeTakeFirst();
      if (taken !== undefined) throw new StorageConstraintError(`Another user has the address ${email}.`);
      const changes = {
        ...{ email, name, admin: user.isAdmin ? 1 : 0, password: user.passwordHash },
        ...{ updated_at: user.updatedAt, deactivated_at: user.deactivatedAt },
      };
      await db()
        .insertInto("users")
        .values({ id, ...changes, created_at: user.createdAt })
        .onConflict((known) => known.column("id").doUpdateSet(changes))
        .execute();
    },
    async putUserIdentity({ issuer, subject, userId, at }) {
      await db().insertInto("user_identities").values({ issuer, subject, user_id: userId, created_at: at }).execute();
    },
    async setMember({ projectId, userId, role, at }) {
      if (role === null) {
        await db().deleteFrom("project_members").where("project_id", "=", projectId).where("user_id", "=", userId).execute();
        return;
      }
      await db()
        .insertInto("project_members")
        .values({ project_id: projectId, user_id: userId, role, created_at: at })
        .onConflict((known) => known.columns(["project_id", "user_id"]).doUpdateSet({ role }))
        .execute();
    },
  };
}
