import { listDatabaseCopies, type RestoredDatabase, restoreDatabase, ServerAlreadyRunningError } from "@skein/server";
import { CliError } from "../cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { resolveHome } from "../home.ts";

/** `skein restore`: replaces the database, which is kept, and puts back what else a backup has and is missing. */
export async function restore(backup: string | undefined, options: { home?: string; empty?: boolean }): Promise<number> {
  const home = resolveHome(options.home);
  if (backup !== undefined && options.empty) {
    throw new CliError("Give either a backup or --empty.", { exitCode: exitCode.usage });
  }
  if (backup === undefined && !options.empty) return listBackups(home);
  const restored = await restoreDatabase({ home, backup: backup ?? null }).catch((cause: unknown) => {
    if (!(cause instanceof ServerAlreadyRunningError)) throw cause;
    const who = cause.pid === null ? "A server" : `A server (pid ${cause.pid})`;
    throw new CliError(`${who} uses ${home}. Stop it first: Ctrl-C in its window. Its agents keep running.`, { cause });
  });
  console.log(describe(restored));
  return exitCode.success;
}

function describe({ tasks, executions, newestAt, replaced, unknownExecutions, logsPutBack }: RestoredDatabase): string {
  const newest = newestAt === null ? "" : `, the newest of ${formatTime(newestAt)}`;
  const many = unknownExecutions !== 1;
  return [
    `Restored: ${tasks} ${tasks === 1 ? "task" : "tasks"}, ${executions} ${executions === 1 ? "execution" : "executions"}${newest}.`,
    ...(replaced === undefined ? [] : [`The database that was here is kept: ${replaced}`]),
    ...(logsPutBack === 0 ? [] : [`Put back the logs of ${logsPutBack} ${logsPutBack === 1 ? "execution" : "executions"}.`]),
    ...(unknownExecutions === 0
      ? []
      : [
          `The logs of ${unknownExecutions} ${many ? "executions" : "execution"} are newer than this database. ${many ? "They are" : "It is"} kept in quarantine.`,
          "To read them into the database again: skein quarantine recover --all (or Settings → Storage)",
        ]),
    "Nothing that was running or waiting when the backup was made is started by itself.",
  ].join("\n");
}

function listBackups(home: string): number {
  const copies = listDatabaseCopies(home);
  if (copies.length === 0) {
    console.log(
      `There is no backup in ${home}. If you have one elsewhere: skein restore <file>. To begin with an empty database: skein restore --empty`,
    );
    return exitCode.failed;
  }
  const rows = copies.map(({ file, modifiedAt, content }) => [
    formatTime(modifiedAt),
    ...(content === undefined
      ? ["cannot be read", "", ""]
      : [String(content.tasks), String(content.executions), formatNewest(content.newestAt)]),
    file,
  ]);
  console.log(formatTable(["MADE", "TASKS", "EXECUTIONS", "NEWEST", "FILE"], rows));
  console.log("\nTo restore one: skein restore <file>");
  return exitCode.success;
}

const formatNewest = (at: number | null): string => (at === null ? "" : formatTime(at));
const formatTime = (at: number): string => new Date(at).toLocaleString("sv-SE");
