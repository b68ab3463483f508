import { backUpDatabase, backUpDataDir } from "@skein/server";
import { CliError } from "../cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { formatBytes } from "../format/bytes.ts";
import { resolveHome } from "../home.ts";
import { usesPostgres } from "../uses-postgres.ts";

interface BackupOptions {
  home?: string;
  databaseOnly?: boolean;
  /** False: without the database. */
  database: boolean;
}

/** `skein backup`: copies everything that a restore needs, except for worktrees. */
export async function backup(to: string | undefined, options: BackupOptions): Promise<number> {
  const home = resolveHome(options.home);
  if (options.database && usesPostgres(home)) throw explainPostgres(options);
  if (options.databaseOnly && !options.database)
    throw new CliError("Use --database-only or --no-database, not both.", { exitCode: exitCode.usage });
  const { path, bytes } = options.databaseOnly ? backUpDatabase({ home, to }) : backUpDataDir({ home, to, withDatabase: options.database });
  if (!options.database) {
    console.log(
      `Wrote ${path} (${formatBytes(bytes)}), without the database. To restore: pg_restore, then copy the missing files to ${home}.`,
    );
    return exitCode.success;
  }
  console.log(`Wrote ${path} (${formatBytes(bytes)}). To restore it: skein restore '${path}'`);
  if (!options.databaseOnly) {
    console.log("It does not contain worktrees: commit what you want to keep. It does contain config.json, with the API keys saved there.");
  }
  return exitCode.success;
}

/** The database first: then each log has at least what the database has read of it. */
function explainPostgres({ databaseOnly }: BackupOptions): CliError {
  const dump = 'pg_dump --format=custom --file=skein.dump "$SKEIN_DATABASE_URL"';
  const hint = databaseOnly ? `Run: ${dump}` : `First: ${dump}\nThen: skein backup --no-database`;
  return new CliError("The database is on Postgres. Back it up with pg_dump; the server may be running.", { hint });
}
