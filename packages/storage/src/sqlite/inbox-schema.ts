/**
 * Executions of earlier releases get no inbox items: an update must not ask users to review what ended long ago.
 * An attempt has at most one open item.
 */
export const inboxSchema = `
CREATE TABLE inbox_items (
  execution_id TEXT PRIMARY KEY,
  attempt_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  cleared_at INTEGER,
  FOREIGN KEY (execution_id, attempt_id) REFERENCES executions (id, attempt_id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX inbox_items_one_open_per_attempt ON inbox_items (attempt_id) WHERE cleared_at IS NULL;
CREATE INDEX inbox_items_open ON inbox_items (task_id) WHERE cleared_at IS NULL;
ALTER TABLE approvals ADD COLUMN overwrites INTEGER CHECK (overwrites IN (0, 1));
`;
