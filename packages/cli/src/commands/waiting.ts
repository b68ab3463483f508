import { executionSchema, isHeld, taskSummarySchema, type WaitingExecution, waitingExecutionSchema } from "@skein/contracts";
import { budgetScopes, toAmount } from "@skein/engine";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatAge } from "../format/age.ts";
import { formatTable } from "../format/table.ts";
import { parseIdPrefix, resolveId } from "../ids/resolve-id.ts";
import { shortenId } from "../ids/short-id.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";
import { findHeld } from "./budget.ts";

interface Options {
  home?: string;
  json?: boolean;
}

const listOf = (client: ApiClient): Promise<WaitingExecution[]> => client.get("/api/waiting-executions", waitingExecutionSchema.array());

/** `skein waiting`: what waits because of a limit, in the order in which it will start. */
export async function waiting(options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const list = await listOf(client);
  const held = await client.get("/api/held-executions", waitingExecutionSchema.array());
  if (options.json) {
    console.log(JSON.stringify([...list, ...held], null, 2));
    return exitCode.success;
  }
  if (list.length + held.length === 0) console.log("Nothing is waiting to start.");
  if (list.length > 0) console.log(await format(client, list));
  if (held.length > 0) console.log(await formatHeld(client, held));
  return exitCode.success;
}

/** `skein waiting resume`. */
export async function resumeParked(id: string, options: Options & { later?: boolean }): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const { execution } = await findHeld(client, id);
  if (options.later) {
    const changed = await client.send("PATCH", `/api/executions/${execution.id}/parked`, { isAutomatic: true }, executionSchema);
    const wait = changed.status === "running" ? changed.wait : undefined;
    console.log(wait?.for === "provider" ? `It resumes at ${formatTime(wait.resumesAt)}.` : "It resumes by itself.");
    return exitCode.success;
  }
  await client.request(`/api/executions/${execution.id}/resume`, { method: "POST" });
  console.log("It is being started.");
  return exitCode.success;
}

/** `skein waiting continue`. */
export async function continueParked(id: string, options: Options & { agent: string; model?: string }): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const { execution } = await findHeld(client, id);
  const body = { agent: options.agent, model: options.model ?? null };
  await client.post(`/api/executions/${execution.id}/continue-with`, body, executionSchema);
  console.log(`${options.agent} continues in a new attempt.`);
  return exitCode.success;
}

const formatTime = (at: number): string => new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** What waits for its user or a provider, and what to do about it. */
async function formatHeld(client: ApiClient, list: readonly WaitingExecution[]): Promise<string> {
  const every = await client.get("/api/tasks?archived=all", taskSummarySchema.array());
  const ids = every.map(({ id }) => id);
  return list
    .flatMap(({ execution, agent }) => {
      const wait = execution.status === "running" ? execution.wait : undefined;
      if (wait === undefined || !isHeld(wait)) return [];
      const title = toRevealedLine(every.find(({ id }) => id === execution.taskId)?.title ?? "");
      const id = shortenId(execution.taskId, ids);
      if (wait.for === "provider") {
        const how = wait.isAutomatic ? "resumes by itself" : `skein waiting resume ${id}`;
        return [`${id}  ${agent}  parked until ${formatTime(wait.resumesAt)} (${how})  ${title}`];
      }
      const { scope, measure, spent, limit } = wait.reached;
      const used = `${toAmount(measure, spent)} of ${toAmount(measure, limit)} of ${budgetScopes[scope]}`;
      return [`${id}  ${agent}  budget reached: ${used} (skein budget answer ${id} more|unlimited|stop)  ${title}`];
    })
    .join("\n");
}

/** `skein waiting start` and `skein waiting first`. */
export async function changeWaiting(id: string, action: "start" | "first", options: Options): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const { client } = connection;
  const { taskId, attemptId } = await resolveId(client, prefix);
  const list = await listOf(client);
  const found = list.find(({ execution }) => execution.taskId === taskId && (attemptId === null || execution.attemptId === attemptId));
  if (found === undefined) throw new CliError(`Nothing of ${id} is waiting to start.`, { hint: "What waits: skein waiting" });
  const path = `/api/executions/${found.execution.id}`;
  if (action === "start") await client.request(`${path}/start-now`, { method: "POST" });
  else if (list[0] !== found) await client.post(`${path}/move`, { before: list[0]?.execution.id ?? null }, waitingExecutionSchema.array());
  console.log(action === "start" ? "It is being started." : "It will start next.");
  return exitCode.success;
}

async function format(client: ApiClient, list: readonly WaitingExecution[]): Promise<string> {
  const every = await client.get("/api/tasks?archived=all", taskSummarySchema.array());
  const titles = new Map(every.map(({ id, title }) => [id, title]));
  const ids = every.map(({ id }) => id);
  const rows = list.map(({ execution, agent }, index) => [
    String(index + 1),
    shortenId(execution.taskId, ids),
    execution.status === "running" && execution.wait !== undefined ? formatAge(Date.now() - execution.wait.since) : "",
    agent,
    toRevealedLine(titles.get(execution.taskId) ?? ""),
  ]);
  return formatTable(["", "TASK", "WAITS", "AGENT", "TITLE"], rows);
}
