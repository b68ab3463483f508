/** Executions whose agent waits to be started, in their order. */
export const waitsSchema = `
ALTER TABLE executions ADD COLUMN wait_reason TEXT CHECK (wait_reason IN ('limit'))
  CHECK (wait_reason IS NULL OR status = 'running');
ALTER TABLE executions ADD COLUMN wait_since INTEGER CHECK ((wait_since IS NULL) = (wait_reason IS NULL));
ALTER TABLE executions ADD COLUMN wait_position INTEGER CHECK ((wait_position IS NULL) = (wait_reason IS NULL));
`;
