import { type JobList, jobListSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

/** `skein jobs`: what the server does by itself. */
export async function jobs(action: "list" | "cancel", id: string | undefined, options: { home?: string; json?: boolean }): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  if (action === "cancel") {
    if (id === undefined) throw new CliError("Name the job: skein jobs cancel <id>", { exitCode: exitCode.usage });
    await client.request(`/api/jobs/${encodeURIComponent(id)}`, { method: "DELETE" });
    console.log(`Cancelled ${id}.`);
    return exitCode.success;
  }
  const found = await client.get("/api/jobs", jobListSchema);
  console.log(options.json ? JSON.stringify(found, null, 2) : format(found));
  return exitCode.success;
}

function format({ jobs: all, schedules }: JobList): string {
  const scheduled = schedules.map(({ name, key, cron, timeZone, nextRunAt, lastRunAt, missed, missedRuns, lastMissedAt }) => [
    key === "" ? name : `${name} ${toRevealedLine(key)}`,
    `${cron} (${timeZone})`,
    toTime(nextRunAt),
    lastRunAt === null ? "never" : toTime(lastRunAt),
    missedRuns === 0 ? "none" : `${missedRuns}, last ${toTime(lastMissedAt ?? 0)} (${missed === "once" ? "made up for once" : "skipped"})`,
  ]);
  const rows = all.map(({ id, name, state, runAt, tries, maxTries, error, endedAt }) => [
    id,
    name,
    state,
    toTime(endedAt ?? runAt),
    `${tries}/${maxTries}`,
    error === null ? "" : toRevealedLine(error).slice(0, 80),
  ]);
  const parts = [
    ...(scheduled.length === 0 ? [] : [formatTable(["SCHEDULE", "TIMES", "NEXT", "LAST", "MISSED"], scheduled)]),
    rows.length === 0 ? "No jobs yet." : formatTable(["JOB", "NAME", "STATE", "TIME", "TRIES", "PROBLEM"], rows),
  ];
  return parts.join("\n\n");
}

/** Local time, to the minute. */
function toTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
