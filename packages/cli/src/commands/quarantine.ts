import { executionIdSchema, type QuarantineEntry, quarantineListSchema, recoveredExecutionSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatBytes } from "../format/bytes.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

type QuarantineAction = "list" | "recover" | "stop" | "delete";

/** `skein quarantine`: executions that the database does not know. */
export async function quarantine(
  action: QuarantineAction,
  ids: string[],
  options: { home?: string; all?: boolean; json?: boolean },
): Promise<number> {
  const wrong = ids.find((id) => !executionIdSchema.safeParse(id).success);
  if (wrong !== undefined) throw new CliError(`“${wrong}” is not the id of an execution (exe_…).`, { exitCode: exitCode.usage });
  if (action !== "list" && ids.length === 0 && !options.all) {
    throw new CliError(`Name the executions, or use --all: skein quarantine ${action} --all`, { exitCode: exitCode.usage });
  }
  await using connection = await connect(options);
  const { client } = connection;
  const { entries } = await client.get("/api/quarantine", quarantineListSchema);
  if (action === "list") {
    console.log(options.json ? JSON.stringify(entries, null, 2) : format(entries));
    return exitCode.success;
  }
  const chosen = options.all ? entries.filter((entry) => isFor(action, entry)).map(({ id }) => id) : ids;
  if (chosen.length === 0) console.log("Nothing to do.");
  let failures = 0;
  for (const id of chosen) {
    try {
      await act(client, action, id);
    } catch (error) {
      failures++;
      console.error(`${id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failures === 0 ? exitCode.success : exitCode.failed;
}

function isFor(action: QuarantineAction, { state, recoverable }: QuarantineEntry): boolean {
  if (action === "recover") return recoverable;
  return action === "stop" ? state === "running" : state === "quarantined";
}

async function act(client: ApiClient, action: Exclude<QuarantineAction, "list">, id: string): Promise<void> {
  switch (action) {
    case "recover": {
      const { taskId } = await client.post(`/api/quarantine/${id}/recover`, {}, recoveredExecutionSchema);
      console.log(`Recovered ${id} into task ${taskId}.`);
      return;
    }
    case "stop":
      await client.request(`/api/quarantine/${id}/stop`, { method: "POST" });
      console.log(`Stopped ${id}. Its log is kept.`);
      return;
    case "delete":
      await client.request(`/api/quarantine/${id}`, { method: "DELETE" });
      console.log(`Deleted ${id}.`);
  }
}

function format(entries: readonly QuarantineEntry[]): string {
  if (entries.length === 0) return "The quarantine is empty: the database knows every execution that has a log.";
  const rows = entries.map(({ id, state, bytes, startedAt, recoverable, projectName = "", taskTitle = "", message = "" }) => [
    id,
    recoverable ? state : `${state}, not recoverable`,
    formatBytes(bytes),
    new Date(startedAt).toLocaleString("sv-SE"),
    toRevealedLine(projectName),
    toRevealedLine(taskTitle),
    [...toRevealedLine(message)].slice(0, 60).join(""),
  ]);
  const table = formatTable(["EXECUTION", "STATE", "SIZE", "STARTED", "PROJECT", "TASK", "MESSAGE"], rows);
  const isLost = entries.some(({ recoverable }) => !recoverable);
  const lost =
    "\n\nExecutions that are not recoverable come from an earlier release, which did not record the task they belong to. What their agents printed is in <data dir>/quarantine/<execution>/execution/out.log";
  return `${table}${isLost ? lost : ""}\n\nTo import them into the database: skein quarantine recover --all. To delete them permanently: skein quarantine delete --all`;
}
