import { initialSchema } from "./initial-schema.ts";

/**
 * `version` is the schema version after the migration, with the number of the SQLite migration that leads to the same tables. Forward
 * only; a released migration never changes. A test compares the tables of both databases.
 */
export interface PostgresMigration {
  version: number;
  sql: string;
}

export const postgresMigrations: readonly PostgresMigration[] = [{ version: 16, sql: initialSchema }];
