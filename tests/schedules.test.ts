import { renameSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { AutomationRun, CreateSchedule, Project, Schedule, Task, Template } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";
import { runSql } from "./support/server-database.ts";

const minuteMs = 60_000;
const form = (model: string, prompt = "Report for {{date}}") => ({ prompt, agent: "native", model, permissionMode: "full" as const });
const quick = () => newScriptedModel([{ text: "Done.", chunkDelayMs: 0 }]);
const never = { cron: "0 0 1 1 *", timeZone: "UTC" };

const create = (server: RealServer, project: Project, fields: Partial<CreateSchedule> & Pick<CreateSchedule, "action">) =>
  server.api.request<Schedule>("POST", "/api/schedules", { projectId: project.id, name: "Nightly", ...never, ...fields });
const listRuns = (server: RealServer, { id }: Schedule) => server.api.request<AutomationRun[]>("GET", `/api/schedules/${id}/runs`);
const runNow = (server: RealServer, { id }: Schedule) => server.api.request("POST", `/api/schedules/${id}/run`);
const listTasks = (server: RealServer, project: Project) => server.api.request<Task[]>("GET", `/api/tasks?projectId=${project.id}`);

const eventually = <T>(read: () => Promise<T>, check: (value: T) => void) =>
  vi.waitFor(async () => check(await read()), { timeout: 90_000, interval: 100 });

describe("[L6] schedules", () => {
  let server: RealServer;
  let project: Project;
  let repository = "";
  beforeAll(async () => {
    server = await startRealServer({ keep: true });
    repository = newRepository();
    project = await server.api.createProject(repository);
  });
  afterAll(() => server.stop());

  test("[L6] run now: a task is started with the date, from a form or a template; the run leads to it; a message is sent to an attempt", async () => {
    const model = quick();
    const schedule = await create(server, project, { action: { type: "task", form: { ...form(model), title: "Report {{date}}" } } });
    expect(schedule).toMatchObject({ enabled: true, missed: "skip", overlap: "skip", lastRun: null, missedRuns: 0 });
    expect(schedule.nextRunAt).toBeGreaterThan(Date.now());
    await runNow(server, schedule);
    await eventually(
      () => listRuns(server, schedule),
      (runs) => expect(runs).toMatchObject([{ state: "done", isManual: true, reason: null }]),
    );
    const [run] = await listRuns(server, schedule);
    const task = await server.api.getTask(run?.taskId ?? "");
    expect(task.title).toMatch(/^Report \d{4}-\d\d-\d\d$/);

    const template = await server.api.request<Template>("POST", "/api/templates", {
      projectId: project.id,
      name: "t",
      ...form(model, "Look at {{file}}"),
    });
    const action = { type: "template" as const, templateId: template.id, values: { file: "a.ts" } };
    await expect(create(server, project, { action: { ...action, values: {} } })).rejects.toMatchObject({
      problem: { code: "template-values-missing" },
    });
    const other = await create(server, project, { name: "By template", action });
    await runNow(server, other);
    await eventually(
      () => listRuns(server, other),
      (runs) => expect(runs).toMatchObject([{ state: "done" }]),
    );
    await expect(server.api.request("DELETE", `/api/templates/${template.id}`)).rejects.toMatchObject({
      problem: { code: "template-in-use" },
    });

    const message = await create(server, project, {
      ...{ name: "Ping" },
      action: { type: "message", attemptId: task.activeAttemptId as never, message: "Go on at {{time}}" },
    });
    await runNow(server, message);
    await eventually(
      () => listRuns(server, message),
      (runs) => expect(runs).toMatchObject([{ state: "done", taskId: task.id }]),
    );
    await eventually(
      () => server.api.conversation(task.id),
      ({ messages }) => expect(JSON.stringify(messages)).toMatch(/Go on at \d\d:\d\d/),
    );
    for (const { id } of [schedule, other, message]) await server.api.request("DELETE", `/api/schedules/${id}`);
    await server.api.request("DELETE", `/api/templates/${template.id}`);
    expect((await server.api.request<Schedule[]>("GET", "/api/schedules")).length).toBe(0);
  });

  test("[L6] wrong times are refused with what to do, the next ones are listed as the zone's clock shows them", async () => {
    const ask = (cron: string, timeZone: string) =>
      server.api.request<{ times: number[] }>("GET", `/api/schedule-times?${new URLSearchParams({ cron, timeZone })}`);
    await expect(ask("61 * * * *", "UTC")).rejects.toMatchObject({ status: 422, problem: { code: "cron-invalid" } });
    await expect(ask("0 9 31 2 *", "UTC")).rejects.toMatchObject({ problem: { code: "cron-invalid" } });
    await expect(ask("0 9 * * *", "Mars/Base")).rejects.toMatchObject({ problem: { code: "time-zone-invalid" } });
    const { times } = await ask("0 9 * * *", "Asia/Kolkata");
    expect(times.map((time) => new Date(time).toISOString().slice(11, 16))).toEqual(Array(5).fill("03:30"));
    await expect(create(server, project, { cron: "x", action: { type: "task", form: form(quick()) } })).rejects.toMatchObject({
      problem: { code: "cron-invalid" },
    });
  });

  test("[L6] while the previous run works, the next one is skipped and says so, unless both are wanted; a missing repository is a failed run", async () => {
    const busy = newScriptedModel([{ text: "Working.", chunkDelayMs: 60_000 }]);
    const schedule = await create(server, project, { name: "Busy", action: { type: "task", form: form(busy, "Work") } });
    const states = async () => (await listRuns(server, schedule)).map(({ state }) => state);
    await runNow(server, schedule);
    await eventually(states, (found) => expect(found).toEqual(["done"]));
    await runNow(server, schedule);
    await eventually(states, (found) => expect(found).toEqual(["skipped", "done"]));
    expect((await listRuns(server, schedule))[0]).toMatchObject({ reason: { code: "previous-run-open" }, taskId: null });
    await server.api.request("PATCH", `/api/schedules/${schedule.id}`, { overlap: "start" });
    await runNow(server, schedule);
    await eventually(states, (found) => expect(found).toEqual(["done", "skipped", "done"]));
    for (const { taskId } of await listRuns(server, schedule)) if (taskId !== null) await server.api.stop(taskId);

    renameSync(repository, `${repository}-gone`);
    await runNow(server, schedule);
    await eventually(states, (found) => expect(found[0]).toBe("failed"));
    expect((await listRuns(server, schedule))[0]).toMatchObject({ reason: { code: "not-a-repository", path: repository } });
    renameSync(`${repository}-gone`, repository);
    await server.api.request("DELETE", `/api/schedules/${schedule.id}`);
  });

  test("[L6] times that passed while the server was off are skipped or made up for once; a schedule that is off does nothing", async () => {
    const action = { type: "task" as const, form: form(quick()) };
    const [once, skipped, off] = await Promise.all([
      create(server, project, { name: "once", missed: "once", cron: "0 * * * *", action }),
      create(server, project, { name: "skipped", missed: "skip", cron: "0 * * * *", action }),
      create(server, project, { name: "off", missed: "once", cron: "0 * * * *", action }),
    ]);
    const turned = await server.api.request<Schedule>("PATCH", `/api/schedules/${off.id}`, { enabled: false });
    expect(turned.nextRunAt).toBeNull();
    await server.stop();
    // five hours ago, a minute past the hour at the latest: no time of the last minute is due
    const past = Math.floor(Date.now() / (60 * minuteMs) - 5) * 60 * minuteMs;
    await runSql(server, `UPDATE job_schedules SET next_run_at = ${past} WHERE key LIKE 'sch_%'`);
    await server.start();
    await eventually(
      () => listRuns(server, once),
      (runs) => expect(runs).toMatchObject([{ state: "done", isManual: false }]),
    );
    const get = ({ id }: Schedule) => server.api.request<Schedule>("GET", `/api/schedules/${id}`);
    expect((await get(once)).missedRuns).toBeGreaterThan(3);
    if (Date.now() % (60 * minuteMs) > 2 * minuteMs) expect(await listRuns(server, skipped)).toEqual([]);
    expect((await get(skipped)).missedRuns).toBeGreaterThan(3);
    expect(await listRuns(server, off)).toEqual([]);
    for (const { id } of [once, skipped, off]) await server.api.request("DELETE", `/api/schedules/${id}`);
  });
});

test("[L6] a server that is killed again and again starts the task of each run exactly once", async () => {
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository());
  const schedule = await create(server, project, { overlap: "start", action: { type: "task", form: form(quick()) } });
  let accepted = 0;
  for (const delay of [0, 5, 15, 30, 60, 120, 250]) {
    await runNow(server, schedule);
    accepted++;
    await wait(delay);
    await server.kill();
    await server.start();
    // the next one is asked for once this one is decided
    await eventually(
      () => listRuns(server, schedule),
      (runs) => expect(runs.length).toBe(accepted),
    );
  }
  await eventually(
    () => listRuns(server, schedule),
    (runs) => expect(runs.map(({ state }) => state)).toEqual(Array(accepted).fill("done")),
  );
  const runs = await listRuns(server, schedule);
  const tasks = await listTasks(server, project);
  expect(tasks.map(({ id }) => id).sort()).toEqual(runs.map(({ taskId }) => taskId).sort());
  expect(new Set(runs.map(({ executionId }) => executionId)).size).toBe(accepted);
});
