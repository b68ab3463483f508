import { executionIdSchema, projectIdSchema } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { z } from "zod";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

const ownerSchema = z.object({ executionId: executionIdSchema, projectId: projectIdSchema, isRunning: z.boolean() });
const worktreeSchema = z.object({ directory: z.string(), projectId: projectIdSchema });

/** Owners of the folders in the data dir. */
export function readStorageOwners({ db }: QueryContext): Pick<StorageReader, "listExecutionOwners" | "listWorktrees"> {
  return {
    async listExecutionOwners({ behind, limit }) {
      const rows = await db()
        .selectFrom("executions")
        .innerJoin("tasks", "tasks.id", "executions.task_id")
        .select(["executions.id", "executions.status", "tasks.project_id"])
        .$if(behind !== undefined, (all) => all.where("executions.id", ">", behind ?? ""))
        .orderBy("executions.id")
        .limit(limit)
        .execute();
      return rows.map(({ id, project_id, status }) =>
        parseRow(ownerSchema, { executionId: id, projectId: project_id, isRunning: status === "running" }, `execution ${id}`),
      );
    },
    async listWorktrees() {
      const rows = await db()
        .selectFrom("attempts")
        .innerJoin("tasks", "tasks.id", "attempts.task_id")
        .select(["attempts.id", "attempts.directory", "tasks.project_id"])
        .where("attempts.isolation", "=", "worktree")
        .execute();
      return rows.map(({ id, directory, project_id }) => parseRow(worktreeSchema, { directory, projectId: project_id }, `attempt ${id}`));
    },
  };
}
