import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import {
  commandResultSchema,
  type PermissionMode,
  projectScriptsSchema,
  type StartedRace,
  type StartRace,
  startedRaceSchema,
  type TaskId,
} from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { parseIdPrefix, resolveId } from "../ids/resolve-id.ts";
import { findShortId } from "../ids/short-id.ts";
import { parseRacer } from "../race/parse-racer.ts";
import { explainRanking, formatRace, type RaceView, readRace, type ShownRacer } from "../race/race-table.ts";
import { findOrAddProject, findRepository } from "../run/find-project.ts";
import { describePermissionMode } from "../run/permission-mode-text.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { parseAmount } from "./budget.ts";

export interface RaceOptions {
  home?: string;
  with: string[];
  repo: string;
  /** Start only if there is a trusted check script. */
  check?: boolean;
  permissionMode?: PermissionMode;
  sandbox?: boolean;
  title?: string;
  budget?: string;
  json?: boolean;
}

const refreshMs = 1000;

/** `skein race`: one message to several agents at once, in the foreground. */
export async function race(prompt: string, options: RaceOptions): Promise<number> {
  const racers = options.with.map(parseRacer);
  if (racers.length < 2) {
    throw new CliError("A race needs two agents or more.", {
      hint: 'skein race "<prompt>" --with claude-code --with codex',
      exitCode: exitCode.usage,
    });
  }
  const message = prompt === "-" ? await text(process.stdin) : prompt;
  if (message.trim() === "") throw new CliError("The prompt is empty.", { exitCode: exitCode.usage });
  const repository = findRepository(options.repo);
  await using connection = await connect(options);
  const { client, ownServer } = connection;
  const started = await start(client, message, racers, { ...options, repository });
  const note = (line: string) => void process.stderr.write(`${line}\n`);
  const [first] = started.attempts;
  if (options.permissionMode === undefined && first !== undefined) note(describePermissionMode(first.permissionMode));
  return follow(client, started.task.id, { json: options.json ?? false, ownServer, note });
}

/** `skein race-wait`: the table of a race that was started before. */
export async function followRace(id: string, options: { home?: string; json?: boolean }): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const { client, ownServer } = connection;
  const { taskId } = await resolveId(client, prefix);
  return follow(client, taskId, { json: options.json ?? false, ownServer, note: (line) => void process.stderr.write(`${line}\n`) });
}

/** `skein race-stop`: stops the agents and the checks of a race. */
export async function stopRace(id: string, options: { home?: string }): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const { client } = connection;
  const { taskId } = await resolveId(client, prefix);
  const { racers } = await readRace(client, taskId);
  const agents = racers.filter(({ isRunning }) => isRunning);
  const checks = racers.filter(({ check }) => check === "waiting" || check === "running");
  for (const { id: attemptId } of agents) {
    await client.post("/api/commands", { type: "STOP_EXECUTION", taskId, attemptId }, commandResultSchema);
  }
  for (const { id: attemptId } of checks) await client.request(`/api/attempts/${attemptId}/check/stop`, { method: "POST" });
  console.log(agents.length + checks.length === 0 ? "Nothing of it runs." : `Stopped: ${agents.length} agents, ${checks.length} checks.`);
  return exitCode.success;
}

/** Fails early if the race cannot work, before there is a task, a branch or a worktree. */
async function start(
  client: ApiClient,
  message: string,
  racers: ReturnType<typeof parseRacer>[],
  options: RaceOptions & { repository: string },
): Promise<StartedRace> {
  const project = await findOrAddProject(client, options.repository);
  if (options.check) {
    const scripts = await client.get(`/api/projects/${project.id}/scripts`, projectScriptsSchema);
    if (scripts.check === null || scripts.trust !== "trusted") {
      throw new CliError(scripts.check === null ? "The project has no check script." : "The check script is not trusted.", {
        hint:
          scripts.check === null
            ? "Add `check` to .skein/project.json, and trust it in the project's settings: skein open"
            : "Review and trust it in the project's settings: skein open",
      });
    }
  }
  const { permissionMode, sandbox, title, budget } = options;
  const common = {
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(sandbox === undefined ? {} : { sandbox: sandbox ? ("workspace" as const) : ("off" as const) }),
  };
  const input: StartRace = {
    id: randomUUID(),
    task: { projectId: project.id, ...(title === undefined ? {} : { title }) },
    attempts: racers.map((racer) => ({ ...racer, ...common })),
    message,
    ...(budget === undefined ? {} : { budget: { costUsd: parseAmount(budget) } }),
  };
  return client.post("/api/races", input, startedRaceSchema);
}

/** Shows the race until it is over. Returns 0 if one attempt passed, or, without checks, one agent succeeded. */
async function follow(
  client: ApiClient,
  taskId: TaskId,
  { json, ownServer, note }: { json: boolean; ownServer: boolean; note(line: string): void },
): Promise<number> {
  const short = await findShortId(client, taskId);
  const ending = new AbortController();
  using _signals = onInterrupt((count) => {
    if (count > 1) process.exit(exitCode.interrupted);
    ending.abort();
  });
  const show = json ? showJson() : process.stdout.isTTY === true ? showTable() : showLines();
  for (;;) {
    const view = await readRace(client, taskId);
    show(view);
    if (view.isOver) return finish(view, { json, short });
    await wait(refreshMs, undefined, { signal: ending.signal }).catch(() => {});
    if (!ending.signal.aborted) continue;
    note(describeRest(view, short, ownServer));
    return exitCode.interrupted;
  }
}

/** What continues without the command. */
function describeRest({ ranking: { running } }: RaceView, short: string, ownServer: boolean): string {
  const agents = running === 1 ? "One attempt continues" : `${running} attempts continue`;
  const checks = ownServer ? " Their checks run when a server does: skein serve." : "";
  return `\n${agents} without this command.${checks}\nTo see the race again: skein race-wait ${short}\nTo stop it: skein race-stop ${short}`;
}

function finish(view: RaceView, { json, short }: { json: boolean; short: string }): number {
  const { ranking, racers } = view;
  const isChecked = racers.some(({ check }) => check !== null && check !== "not-run");
  const hasPassed = isChecked ? ranking.passed > 0 : racers.some(({ state }) => state === "success");
  if (json) console.log(JSON.stringify({ type: "result", taskId: short, ...ranking }));
  else console.log(`\n${explainRanking(view)}${isChecked ? "" : "\nNo checks were run: the project has no trusted check script."}`);
  const best = racers.find(({ id }) => id === ranking.winner);
  if (!json && best !== undefined) console.log(`Its changes: skein diff ${best.id}\nTo land it: skein land ${best.id}`);
  return hasPassed ? exitCode.success : exitCode.failed;
}

/** Redraws the table in place. */
function showTable(): (view: RaceView) => void {
  let last = "";
  return (view) => {
    const table = formatRace(view);
    if (table === last) return;
    const up = last === "" ? "" : `\u001b[${last.split("\n").length}A\u001b[0J`;
    process.stdout.write(`${up}${table}\n`);
    last = table;
  };
}

/** A line for each change of a state. */
function showLines(): (view: RaceView) => void {
  return onChange(({ number, agent, state, check, checkText }) => {
    console.log(`#${number} ${agent}: ${state}${check === null ? "" : `, checks: ${checkText}`}`);
  });
}

function showJson(): (view: RaceView) => void {
  return onChange((racer) => console.log(JSON.stringify({ type: "attempt", ...racer })));
}

function onChange(print: (racer: ShownRacer) => void): (view: RaceView) => void {
  const known = new Map<string, string>();
  return ({ racers }) => {
    for (const racer of racers) {
      const now = `${racer.state} ${racer.checkText}`;
      if (known.get(racer.id) !== now) print(racer);
      known.set(racer.id, now);
    }
  };
}
