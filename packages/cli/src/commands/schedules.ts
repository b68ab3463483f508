import { automationRunSchema, type CreateSchedule, type Project, projectSchema, type Schedule, scheduleSchema } from "@skein/contracts";
import { actionNames, checkTarget, findByName, readTarget, type TargetOptions, toMinute } from "../automations/action-target.ts";
import { formatRuns } from "../automations/format-runs.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

interface Options {
  home?: string;
  json?: boolean;
}

interface NewScheduleOptions extends Options, TargetOptions {
  cron: string;
  timeZone?: string;
  runMissed?: boolean;
  overlap?: boolean;
  off?: boolean;
}

/** `skein schedules` */
export async function schedules(options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const [all, projects] = await Promise.all([
    client.get("/api/schedules", scheduleSchema.array()),
    client.get("/api/projects", projectSchema.array()),
  ]);
  console.log(options.json ? JSON.stringify(all, null, 2) : formatList(all, projects));
  return exitCode.success;
}

/** `skein schedules add` */
export async function addSchedule(name: string, prompt: string | undefined, options: NewScheduleOptions): Promise<number> {
  const { cron, timeZone } = options;
  checkTarget(prompt, options);
  await using connection = await connect(options);
  const { client } = connection;
  const target = await readTarget(client, prompt, options);
  const input: CreateSchedule = {
    ...{ ...target, name, cron, timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone },
    ...{ missed: options.runMissed ? "once" : "skip", overlap: options.overlap ? "start" : "skip", enabled: !options.off },
  };
  const schedule = await client.post("/api/schedules", input, scheduleSchema);
  console.log(
    options.json ? JSON.stringify(schedule, null, 2) : `Saved ${toRevealedLine(name)} (${schedule.id}). ${describeNext(schedule)}`,
  );
  return exitCode.success;
}

/** `skein schedules run`, `on`, `off` and `remove`. */
export async function changeSchedule(action: "run" | "on" | "off" | "remove", text: string, options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const schedule = await findSchedule(client, text);
  const name = toRevealedLine(schedule.name);
  const path = `/api/schedules/${schedule.id}`;
  if (action === "remove") {
    await client.request(path, { method: "DELETE" });
    console.log(`Deleted ${name}.`);
  } else if (action === "run") {
    await client.call("POST /api/schedules/:id/run", { params: { id: schedule.id } });
    console.log(`${name} runs now. What came of it: skein schedules runs ${schedule.id}`);
  } else {
    const changed = await client.send("PATCH", path, { enabled: action === "on" }, scheduleSchema);
    console.log(`${name} is ${action}. ${describeNext(changed)}`.trim());
  }
  return exitCode.success;
}

/** `skein schedules runs` */
export async function scheduleRuns(text: string, options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const schedule = await findSchedule(client, text);
  const runs = await client.get(`/api/schedules/${schedule.id}/runs`, automationRunSchema.array());
  console.log(options.json ? JSON.stringify(runs, null, 2) : formatRuns(runs));
  return exitCode.success;
}

async function findSchedule(client: ApiClient, text: string): Promise<Schedule> {
  const all = await client.get("/api/schedules", scheduleSchema.array());
  return findByName(all, text, { one: "schedule", list: "skein schedules" });
}

function describeNext({ nextRunAt, timeZone }: Schedule): string {
  return nextRunAt === null ? "" : `Next run: ${toMinute(nextRunAt, timeZone)} (${timeZone})`;
}

function formatList(all: readonly Schedule[], projects: readonly Project[]): string {
  if (all.length === 0) return 'No schedules yet. Create one: skein schedules add <name> "<prompt>" --cron "0 9 * * 1-5"';
  const rows = all.map((schedule) => [
    schedule.id,
    toRevealedLine(projects.find(({ id }) => id === schedule.projectId)?.name ?? ""),
    toRevealedLine(schedule.name),
    `${schedule.cron} (${schedule.timeZone})`,
    schedule.nextRunAt === null ? "off" : toMinute(schedule.nextRunAt, schedule.timeZone),
    schedule.lastRun === null ? "never" : `${toMinute(schedule.lastRun.at, schedule.timeZone)} ${schedule.lastRun.state}`,
    schedule.missedRuns === 0 ? "none" : `${schedule.missedRuns} (${schedule.missed === "once" ? "made up for once" : "skipped"})`,
    actionNames[schedule.action.type],
  ]);
  return formatTable(["SCHEDULE", "PROJECT", "NAME", "TIMES", "NEXT", "LAST", "MISSED", "DOES"], rows);
}
