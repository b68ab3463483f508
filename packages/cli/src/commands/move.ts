import { type DatabaseMove, moveDatabaseFromPostgres, moveDatabaseToPostgres, ServerAlreadyRunningError } from "@skein/server";
import { CliError } from "../cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";

const progressEveryRows = 50_000;

/** `skein move`: copies the database of a data dir to Postgres, or back. */
export async function move(options: { home?: string; to?: string; from?: string }): Promise<number> {
  const { to, from } = options;
  if ((to === undefined) === (from === undefined)) throw new CliError("Use --to <url> or --from <url>.", { exitCode: exitCode.usage });
  const home = resolveHome(options.home);
  const onRows = createProgress();
  const moving =
    to === undefined ? moveDatabaseFromPostgres({ home, url: from ?? "", onRows }) : moveDatabaseToPostgres({ home, url: to, onRows });
  const moved = await moving.catch((cause: unknown) => {
    if (!(cause instanceof ServerAlreadyRunningError)) throw cause;
    const who = cause.pid === null ? "A server" : `A server (pid ${cause.pid})`;
    throw new CliError(`${who} is using ${home}. Stop it first (Ctrl-C in its terminal); its agents keep running.`, { cause });
  });
  console.log(to === undefined ? describeMoveFrom(moved) : describeMoveTo(moved));
  return exitCode.success;
}

function createProgress() {
  const counts = { copy: 0, compare: 0 };
  return (step: keyof typeof counts, _table: string, rows: number): void => {
    const before = counts[step];
    counts[step] += rows;
    if (Math.floor(before / progressEveryRows) === Math.floor(counts[step] / progressEveryRows)) return;
    console.error(`${step === "copy" ? "Copied" : "Compared"} ${counts[step].toLocaleString("en")} rows …`);
  };
}

const describeRows = ({ rows, tables }: DatabaseMove): string =>
  `${rows.toLocaleString("en")} rows in ${tables} tables. Every row was compared with the original.`;

function describeMoveTo(moved: DatabaseMove): string {
  return [
    `${moved.wasThere ? "An earlier move had copied everything" : "Copied everything"} to Postgres: ${describeRows(moved)}`,
    `The SQLite database was kept: ${moved.file}`,
    "From now on, start Skein with SKEIN_DATABASE_URL, or set databaseUrl in config.json. Logs, worktrees and settings stay in the data dir.",
  ].join("\n");
}

function describeMoveFrom(moved: DatabaseMove): string {
  return [
    `Copied everything to ${moved.file}: ${describeRows(moved)}`,
    "The Postgres database was left as it is. From now on, start Skein without SKEIN_DATABASE_URL and databaseUrl.",
  ].join("\n");
}
