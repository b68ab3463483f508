import { statSync } from "node:fs";
import type { Storage } from "@skein/engine";
import { openSqliteStorage } from "@skein/storage";
import type { Logger } from "../logger.ts";
import { databaseName } from "./back-up-data-dir.ts";
import { startDatabaseCheck } from "./check-database.ts";
import { DataDirError } from "./data-dir-error.ts";
import { readOrCreateNodeId } from "./node-id.ts";
import { listTraces, refuseLostDatabase } from "./refuse-lost-database.ts";

/** How long the start waits for a database server that starts at the same time. */
const waitForDatabaseMs = 20_000;

export interface OpenedStorage {
  storage: Storage;
  /** Whether parts of the database are known to be damaged while the rest is writable. */
  isDamaged(): boolean;
  close(): Promise<void>;
}

/** Opens the database of a server: Postgres if a URL is configured, otherwise SQLite in the data dir. */
export async function openStorage(input: {
  file: string;
  home: string;
  databaseUrl: string | undefined;
  /** On Postgres: how long this server may be silent before others consider it lost. */
  leaseMs: number;
  logger: Logger;
  /** Called before SQLite is opened for writing. */
  ensureLock(): void;
  checkDatabaseAfterMs: number | undefined;
  onDamageChange(): void;
}): Promise<OpenedStorage> {
  const { file, databaseUrl } = input;
  if (databaseUrl !== undefined) return openPostgres({ ...input, databaseUrl });
  refuseLostDatabase(input.home);
  const storage = await openSqliteStorage({ file, beforeWriting: input.ensureLock });
  const check = startDatabaseCheck({
    file,
    logger: input.logger,
    firstAfterMs: input.checkDatabaseAfterMs,
    onChange: input.onDamageChange,
  });
  return {
    storage,
    isDamaged: () => check.isDamaged,
    async close() {
      check.close();
      await storage.close();
    },
  };
}

async function openPostgres(input: {
  file: string;
  home: string;
  databaseUrl: string;
  leaseMs: number;
  logger: Logger;
}): Promise<OpenedStorage> {
  // loaded only here: most installs use SQLite
  const { openPostgresStorage } = await import("@skein/storage/postgres");
  const { logger } = input;
  const storage = await openPostgresStorage({
    url: input.databaseUrl,
    node: { id: readOrCreateNodeId(input.home), leaseMs: input.leaseMs },
    waitMs: waitForDatabaseMs,
    logger: {
      info: (details, message) => logger.info(message, { ...details }),
      error: (details, message) => logger.error(message, { ...details }),
    },
  });
  try {
    await refuseForgottenDatabase(storage, input);
  } catch (error) {
    await storage.close();
    throw error;
  }
  return { storage, isDamaged: () => false, close: () => storage.close() };
}

/** An empty Postgres database next to a used SQLite database, or to files of another one: everything would seem to be gone. */
async function refuseForgottenDatabase({ read }: Storage, { file, home }: { file: string; home: string }): Promise<void> {
  if ((await read.findInstance()) !== undefined) return;
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new DataDirError(
      `${home} has a SQLite database (${databaseName}), and the Postgres database is empty. Nothing was changed. ` +
        'To continue with your data on Postgres: skein move --to "$SKEIN_DATABASE_URL". ' +
        `To begin with an empty database: move ${file} to another folder.`,
    );
  }
  const traces = listTraces(home);
  if (traces.length === 0) return;
  throw new DataDirError(
    `The Postgres database is empty, but ${home} has ${traces.join(", ")}. Nothing was changed. ` +
      "Check SKEIN_DATABASE_URL, or restore a dump of the database with pg_restore. To begin with an empty database, use another data dir (SKEIN_HOME).",
  );
}
