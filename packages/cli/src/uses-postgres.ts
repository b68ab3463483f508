import { ConfigError, loadConfig } from "@skein/server";

/** Whether the server of a data dir uses Postgres. A config.json with an error does not prevent a backup. */
export function usesPostgres(home: string, environment: NodeJS.ProcessEnv = process.env): boolean {
  try {
    return loadConfig({ home }, environment).databaseUrl !== undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return Boolean(environment.SKEIN_DATABASE_URL);
  }
}
