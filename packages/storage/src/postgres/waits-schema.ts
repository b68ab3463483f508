import { text } from "./column-types.ts";

/** The columns of SQLite's `waits-schema.ts`. */
export const waitsSchema = `
ALTER TABLE executions ADD COLUMN wait_reason ${text} CHECK (wait_reason IN ('limit'))
  CHECK (wait_reason IS NULL OR status = 'running');
ALTER TABLE executions ADD COLUMN wait_since bigint CHECK ((wait_since IS NULL) = (wait_reason IS NULL));
ALTER TABLE executions ADD COLUMN wait_position bigint CHECK ((wait_position IS NULL) = (wait_reason IS NULL));
`;
