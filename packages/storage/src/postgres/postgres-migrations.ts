import { text } from "./column-types.ts";
import { initialSchema } from "./initial-schema.ts";

/**
 * `version` is the schema version after the migration, with the number of the SQLite migration that leads to the same tables. Forward
 * only; a released migration never changes. A test compares the tables of both databases.
 */
export interface PostgresMigration {
  version: number;
  sql: string;
}

export const postgresMigrations: readonly PostgresMigration[] = [
  { version: 16, sql: initialSchema },
  {
    version: 17,
    sql: `
ALTER TABLE attempts ADD COLUMN forked_execution ${text};
ALTER TABLE attempts ADD COLUMN forked_place ${text} CHECK (forked_place IN ('start', 'end'))
  CHECK ((forked_place IS NULL) = (forked_execution IS NULL));
ALTER TABLE landings ADD COLUMN head_id ${text} NOT NULL DEFAULT '';
UPDATE landings SET head_id = commit_id;
`,
  },
];
