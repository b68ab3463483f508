import { taskSummarySchema, type WaitingExecution, waitingExecutionSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatAge } from "../format/age.ts";
import { formatTable } from "../format/table.ts";
import { parseIdPrefix, resolveId } from "../ids/resolve-id.ts";
import { shortenId } from "../ids/short-id.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

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
  if (options.json) {
    console.log(JSON.stringify(list, null, 2));
    return exitCode.success;
  }
  console.log(list.length === 0 ? "Nothing is waiting to start." : await format(client, list));
  return exitCode.success;
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
