import type { Config } from "../config/load-config.ts";

export interface ServerOptions extends Config {
  /** The built web UI; null serves only the API. */
  webRoot: string | null;
  /** Logs uncaught errors and keeps the process running: for a process that only serves. */
  keepsProcessAlive?: boolean;
  /** When all pages of the database are read for the first time, after the start. */
  checkDatabaseAfterMs?: number;
}
