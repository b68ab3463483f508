/**
 * The server that a project, an attempt or an execution belongs to. Only databases that several servers can use have values: SQLite has one
 * server, and these columns are null.
 */
export const nodesSchema = `
ALTER TABLE projects ADD COLUMN node_id TEXT;
ALTER TABLE attempts ADD COLUMN node_id TEXT;
ALTER TABLE executions ADD COLUMN owner_node TEXT;
ALTER TABLE executions ADD COLUMN stop_requested_at INTEGER;
`;
