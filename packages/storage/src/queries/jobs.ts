import { type Job, type JobSchedule, jobScheduleSchema, jobSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { type Selectable, sql } from "kysely";
import type { JobScheduleTable, JobTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

function toJob(row: Selectable<JobTable>): Job {
  const { id, name, key, state, tries, error } = row;
  const times = { runAt: row.run_at, createdAt: row.created_at, startedAt: row.started_at, endedAt: row.ended_at };
  const rest = { maxTries: row.max_tries, backoffMs: row.backoff_ms, nodeId: row.owner_node };
  return parseRow(
    jobSchema,
    { id, name, key, state, tries, error, ...times, ...rest, data: parseJsonColumn(row.data, `job ${id}`) },
    `job ${id}`,
  );
}

function toJobRow(job: Job): JobTable {
  const { id, name, key, state, tries, error } = job;
  const times = { run_at: job.runAt, created_at: job.createdAt, started_at: job.startedAt, ended_at: job.endedAt };
  const rest = { max_tries: job.maxTries, backoff_ms: job.backoffMs, owner_node: job.nodeId };
  return { id, name, key, state, tries, error, ...times, ...rest, data: JSON.stringify(job.data) };
}

function toSchedule(row: Selectable<JobScheduleTable>): JobSchedule {
  const { name, key, cron, missed } = row;
  const times = { nextRunAt: row.next_run_at, lastRunAt: row.last_run_at, missedRuns: row.missed_runs, lastMissedAt: row.last_missed_at };
  const fields = { name, key, cron, missed, timeZone: row.time_zone, ...times, data: parseJsonColumn(row.data, `schedule of ${name}`) };
  return parseRow(jobScheduleSchema, fields, `schedule of ${name}`);
}

export function readJobs({ db }: QueryContext): Pick<StorageReader, "findJob" | "listJobs" | "findNextJobAt" | "listJobSchedules"> {
  return {
    async findJob({ id }) {
      const row = await db().selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toJob(row);
    },
    async listJobs({ state, limit }) {
      const rows = await db()
        .selectFrom("jobs")
        .selectAll()
        .$if(state !== undefined, (jobs) => jobs.where("state", "=", sql.lit(state ?? "")))
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(toJob);
    },
    async findNextJobAt({ names }) {
      if (names.length === 0) return null;
      const row = await db()
        .selectFrom("jobs")
        .select("run_at")
        .where("state", "=", sql.lit("waiting"))
        .where("name", "in", names)
        .orderBy("run_at")
        .limit(1)
        .executeTakeFirst();
      return row?.run_at ?? null;
    },
    async listJobSchedules() {
      const rows = await db().selectFrom("job_schedules").selectAll().orderBy("name").orderBy("key").execute();
      return rows.map(toSchedule);
    },
  };
}

export function writeJobs({
  db,
  nodeId,
}: QueryContext): Pick<
  StorageTransaction,
  "insertJob" | "claimJobs" | "reclaimJobs" | "updateJob" | "deleteEndedJobs" | "putJobSchedule" | "deleteJobSchedule"
> {
  const running = () => db().selectFrom("jobs").selectAll().where("state", "=", sql.lit("running"));

  return {
    async insertJob(job) {
      if (job.key !== null) {
        const same = db().selectFrom("jobs").select("id").where("name", "=", job.name).where("key", "=", job.key);
        const [known] = await same.where("state", "in", ["waiting", "running"]).execute();
        if (known !== undefined) return false;
      }
      await db().insertInto("jobs").values(toJobRow(job)).execute();
      return true;
    },
    async claimJobs({ names, limit, at }) {
      if (names.length === 0) return [];
      const due = await db()
        .selectFrom("jobs")
        .selectAll()
        .where("state", "=", sql.lit("waiting"))
        .where("run_at", "<=", at)
        .where("name", "in", names)
        .orderBy("run_at")
        .orderBy("id")
        .limit(limit)
        .execute();
      const claimed = due.map(
        (row): JobTable => ({
          ...row,
          ...{ state: "running", tries: row.tries + 1, started_at: at, owner_node: nodeId ?? null },
        }),
      );
      for (const { id, ...row } of claimed) await db().updateTable("jobs").set(row).where("id", "=", id).execute();
      return claimed.map(toJob);
    },
    async reclaimJobs({ known }) {
      const all = await running().execute();
      const others =
        nodeId === undefined
          ? []
          : await db().selectFrom("nodes").select("id").where("state", "=", "active").where("id", "!=", nodeId).execute();
      const living = new Set<string | null>(others.map(({ id }) => id));
      const orphans = all.filter(({ id, owner_node }) => !living.has(owner_node) && !known.includes(id as Job["id"]));
      for (const { id } of orphans)
        await db()
          .updateTable("jobs")
          .set({ owner_node: nodeId ?? null })
          .where("id", "=", id)
          .execute();
      return orphans.map((row) => toJob({ ...row, owner_node: nodeId ?? null }));
    },
    async updateJob(job, before) {
      const { id, ...row } = toJobRow(job);
      const changed = await db()
        .updateTable("jobs")
        .set(row)
        .where("id", "=", id)
        .where("state", "=", before.state)
        .where("tries", "=", before.tries)
        // what another server runs is its own, except that it can be cancelled
        .$if(before.state === "running" && nodeId !== undefined && job.state !== "cancelled", (jobs) =>
          jobs.where("owner_node", "=", nodeId ?? ""),
        )
        .executeTakeFirst();
      return changed.numUpdatedRows > 0n;
    },
    async deleteEndedJobs({ before }) {
      await db().deleteFrom("jobs").where("ended_at", "<", before).execute();
    },
    async deleteJobSchedule({ name, key }) {
      await db().deleteFrom("job_schedules").where("name", "=", name).where("key", "=", key).execute();
    },
    async putJobSchedule({ name, key, data, cron, timeZone, missed, nextRunAt, lastRunAt, missedRuns, lastMissedAt }) {
      const row = {
        ...{ data: JSON.stringify(data), cron, time_zone: timeZone, missed, next_run_at: nextRunAt, last_run_at: lastRunAt },
        ...{ missed_runs: missedRuns, last_missed_at: lastMissedAt },
      };
      await db()
        .insertInto("job_schedules")
        .values({ name, key, ...row })
        .onConflict((known) => known.columns(["name", "key"]).doUpdateSet(row))
        .execute();
    },
  };
}
