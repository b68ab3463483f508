import { listDatabaseCopies, type RestoredDatabase, restoreDatabase, ServerAlreadyRunningError } from "@skein/server";
import { CliError } from "../cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { resolveHome } from "../home.ts";
import { usesPostgres } from "../uses-postgres.ts";

/** `skein restore`: replaces the database, keeps the old one, and adds files of the backup that are missing. */
export async function restore(backup: string | undefined, options: { home?: string; empty?: boolean }): Promise<number> {
  const home = resolveHome(options.home);
  if (backup !== undefined && options.empty) {
    throw new CliError("Name a backup or use --empty, not both.", { exitCode: exitCode.usage });
  }
  if (usesPostgres(home)) {
    throw new CliError("The database is on Postgres. Restore a dump of it with pg_restore, while the server is stopped.", {
      hint: "To go back to SQLite: skein move --from <url>",
    });
  }
  if (backup === undefined && !options.empty) return listBackups(home);
  const restored = await restoreDatabase({ home, backup: backup ?? null }).catch((cause: unknown) => {
    if (!(cause instanceof ServerAlreadyRunningError)) throw cause;
    const who = cause.pid === null ? "A server" : `A server (pid ${cause.pid})`;
    throw new CliError(`${who} is using ${home}. Stop it first (Ctrl-C in its terminal); its agents keep running.`, { cause });
  });
  console.log(describe(restored));
  return exitCode.success;
}

function describe({ tasks, executions, newestAt, replaced, unknownExecutions, logsPutBack }: RestoredDatabase): string {
  const newest = newestAt === null ? "" : `, the newest of ${formatTime(newestAt)}`;
  const many = unknownExecutions !== 1;
  return [
    `Restored: ${tasks} ${tasks === 1 ? "task" : "tasks"}, ${executions} ${executions === 1 ? "execution" : "executions"}${newest}.`,
    ...(replaced === undefined ? [] : [`The previous database was kept: ${replaced}`]),
    ...(logsPutBack === 0 ? [] : [`Restored the logs of ${logsPutBack} ${logsPutBack === 1 ? "execution" : "executions"}.`]),
    ...(unknownExecutions === 0
      ? []
      : [
          `The logs of ${unknownExecutions} ${many ? "executions" : "execution"} are newer than this database. They are kept in quarantine.`,
          "To import them: skein quarantine recover --all (or Settings → Storage)",
        ]),
    "Nothing that was running or queued when the backup was made is started automatically.",
  ].join("\n");
}

function listBackups(home: string): number {
  const copies = listDatabaseCopies(home);
  if (copies.length === 0) {
    console.log(
      `There are no backups in ${home}. If you have one elsewhere: skein restore <path>. To start with an empty database: skein restore --empty`,
    );
    return exitCode.failed;
  }
  const rows = copies.map(({ file, modifiedAt, content }) => [
    formatTime(modifiedAt),
    ...(content === undefined
      ? ["unreadable", "", ""]
      : [String(content.tasks), String(content.executions), formatNewest(content.newestAt)]),
    file,
  ]);
  console.log(formatTable(["CREATED", "TASKS", "EXECUTIONS", "NEWEST", "FILE"], rows));
  console.log("\nTo restore one: skein restore <file>");
  return exitCode.success;
}

const formatNewest = (at: number | null): string => (at === null ? "" : formatTime(at));
const formatTime = (at: number): string => new Date(at).toLocaleString("sv-SE");
