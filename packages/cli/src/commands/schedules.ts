import {
  type AutomationAction,
  type AutomationRun,
  attemptSchema,
  automationRunSchema,
  type CreateSchedule,
  type Project,
  projectSchema,
  type Schedule,
  scheduleSchema,
  taskSchema,
} from "@skein/contracts";
import { formatText } from "@skein/engine";
import { findTemplate, parseValues } from "../automations/find-template.ts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { findOrAddProject, findRepository } from "../run/find-project.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";
import { type FormOptions, toForm } from "./templates.ts";

interface Options {
  home?: string;
  json?: boolean;
}

export interface NewScheduleOptions extends Options, FormOptions {
  cron: string;
  timeZone?: string;
  template?: string;
  set?: string[];
  /** A task or an attempt that gets the prompt as a message. */
  to?: string;
  repo: string;
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
  const { template, to, set = [], cron, timeZone } = options;
  if ((prompt === undefined) === (template === undefined)) {
    throw new CliError("Write a prompt, or name a template with --template.", { exitCode: exitCode.usage });
  }
  if (template !== undefined && to !== undefined) throw new CliError("--to sends a prompt, not a template.", { exitCode: exitCode.usage });
  if (set.length > 0 && template === undefined) throw new CliError("--set needs --template.", { exitCode: exitCode.usage });
  await using connection = await connect(options);
  const { client } = connection;
  const target = await toTarget(client, prompt ?? "", options);
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

async function toTarget(
  client: ApiClient,
  prompt: string,
  options: NewScheduleOptions,
): Promise<Pick<CreateSchedule, "projectId" | "action">> {
  if (options.to !== undefined) {
    const attemptId = await resolveAttempt(client, parseIdPrefix(options.to));
    const { taskId } = await client.get(`/api/attempts/${attemptId}`, attemptSchema);
    const { projectId } = await client.get(`/api/tasks/${taskId}`, taskSchema);
    return { projectId, action: { type: "message", attemptId, message: prompt } };
  }
  const { id: projectId } = await findOrAddProject(client, findRepository(options.repo));
  if (options.template === undefined) return { projectId, action: { type: "task", form: { prompt, ...toForm(options) } } };
  const { id: templateId } = await findTemplate(client, options.template, projectId);
  return { projectId, action: { type: "template", templateId, values: Object.fromEntries(parseValues(options.set ?? [])) } };
}

async function findSchedule(client: ApiClient, text: string): Promise<Schedule> {
  const all = await client.get("/api/schedules", scheduleSchema.array());
  const found = all.filter(({ id, name }) => name === text || id === text || (text.length >= 8 && id.startsWith(text)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new CliError(only === undefined ? `There is no schedule “${text}”.` : `Several schedules are named “${text}”. Use an id.`, {
    hint: only === undefined ? "See the schedules: skein schedules" : found.map(({ id }) => id).join("\n"),
    exitCode: exitCode.usage,
  });
}

function describeNext({ nextRunAt, timeZone }: Schedule): string {
  return nextRunAt === null ? "" : `Next run: ${toTime(nextRunAt, timeZone)} (${timeZone})`;
}

function formatList(all: readonly Schedule[], projects: readonly Project[]): string {
  if (all.length === 0) return 'No schedules yet. Create one: skein schedules add <name> "<prompt>" --cron "0 9 * * 1-5"';
  const rows = all.map((schedule) => [
    schedule.id,
    toRevealedLine(projects.find(({ id }) => id === schedule.projectId)?.name ?? ""),
    toRevealedLine(schedule.name),
    `${schedule.cron} (${schedule.timeZone})`,
    schedule.nextRunAt === null ? "off" : toTime(schedule.nextRunAt, schedule.timeZone),
    schedule.lastRun === null ? "never" : `${toTime(schedule.lastRun.at, schedule.timeZone)} ${schedule.lastRun.state}`,
    schedule.missedRuns === 0 ? "none" : `${schedule.missedRuns} (${schedule.missed === "once" ? "made up for once" : "skipped"})`,
    actionNames[schedule.action.type],
  ]);
  return formatTable(["SCHEDULE", "PROJECT", "NAME", "TIMES", "NEXT", "LAST", "MISSED", "DOES"], rows);
}

const actionNames: Record<AutomationAction["type"], string> = {
  template: "starts a template",
  task: "starts a task",
  message: "sends a message",
};

function formatRuns(runs: readonly AutomationRun[]): string {
  if (runs.length === 0) return "No runs yet.";
  const rows = runs.map(({ at, state, isManual, taskId, reason }) => [
    toTime(at),
    isManual ? `${state}, asked for` : state,
    taskId ?? "",
    reason === null ? "" : toRevealedLine(typeof reason === "string" ? reason : formatText(reason)),
  ]);
  return formatTable(["TIME", "STATE", "TASK", "WHY"], rows);
}

/** To the minute, as a clock shows it there. */
function toTime(at: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("sv-SE", { ...(timeZone && { timeZone }), dateStyle: "short", timeStyle: "short" }).format(at);
}
