import { type Project, projectSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import type { ProjectTable } from "../database.ts";
import { parseRow } from "../json-column.ts";
import { expectUpdated } from "../missing-row.ts";
import type { QueryContext } from "../query-context.ts";
import { forgetProjectEvents } from "./event-rows.ts";

function toProject(row: Selectable<ProjectTable>): Project {
  const { id, name, path, system_prompt: systemPrompt, created_at: createdAt, updated_at: updatedAt } = row;
  const autoCommit = row.auto_commit === 1 ? { autoCommit: true } : {};
  const runChecks = row.run_checks === 1 ? { runChecks: true } : {};
  const workersFetch = row.workers_fetch === 1 ? { workersFetch: true } : {};
  const agentAccess = row.agent_access === 1 ? { agentAccess: true } : {};
  const node = row.node_id === null ? {} : { nodeId: row.node_id };
  return parseRow(
    projectSchema,
    { id, name, path, systemPrompt, ...autoCommit, ...runChecks, ...workersFetch, ...agentAccess, ...node, createdAt, updatedAt },
    `project ${id}`,
  );
}

export async function loadProjects({ db }: QueryContext, ids: readonly string[]): Promise<Map<string, Project>> {
  if (ids.length === 0) return new Map();
  const rows = await db().selectFrom("projects").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, toProject(row)]));
}

export function readProjects({ db }: QueryContext): Pick<StorageReader, "listProjects" | "findProject"> {
  return {
    async listProjects() {
      const rows = await db().selectFrom("projects").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(toProject);
    },
    async findProject(query) {
      const all = db().selectFrom("projects").selectAll();
      const found = "id" in query ? all.where("id", "=", query.id) : all.where("path", "=", query.path);
      const row = await found.executeTakeFirst();
      return row && toProject(row);
    },
  };
}

export function writeProjects({ db, nodeId }: QueryContext): Pick<StorageTransaction, "insertProject" | "updateProject" | "deleteProject"> {
  return {
    async insertProject({
      id,
      name,
      path,
      systemPrompt,
      autoCommit,
      runChecks,
      workersFetch,
      agentAccess,
      createdAt,
      updatedAt,
      ...project
    }) {
      const settings = {
        system_prompt: systemPrompt,
        auto_commit: autoCommit ? 1 : 0,
        run_checks: runChecks ? 1 : 0,
        workers_fetch: workersFetch ? 1 : 0,
        agent_access: agentAccess ? 1 : 0,
      };
      const times = { created_at: createdAt, updated_at: updatedAt };
      const row = { id, name, path, ...settings, node_id: project.nodeId ?? nodeId ?? null, ...times };
      await db().insertInto("projects").values(row).execute();
    },
    async updateProject({ id, name, path, systemPrompt, autoCommit, runChecks, workersFetch, agentAccess, updatedAt }) {
      const settings = {
        system_prompt: systemPrompt,
        auto_commit: autoCommit ? 1 : 0,
        run_checks: runChecks ? 1 : 0,
        workers_fetch: workersFetch ? 1 : 0,
        agent_access: agentAccess ? 1 : 0,
      };
      const changes = { name, path, ...settings, updated_at: updatedAt };
      expectUpdated(await db().updateTable("projects").set(changes).where("id", "=", id).executeTakeFirst(), `project ${id}`);
    },
    async deleteProject({ id }) {
      await forgetProjectEvents(db(), id);
      await db().deleteFrom("projects").where("id", "=", id).execute();
    },
  };
}
