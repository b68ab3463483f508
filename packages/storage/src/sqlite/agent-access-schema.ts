/*
 * API tokens without users, tokens of executions, and what agents started with them. A start is counted when its message is queued: `subject`
 * is then the queued message, and later the execution. `root` is the execution that a user started, or the token of an agent outside of
 * Skein: the limits apply to everything below it.
 */
export const agentAccessSchema = `
CREATE TABLE api_tokens_new (
  id TEXT PRIMARY KEY,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  execution_id TEXT REFERENCES executions (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'approve', 'manage', 'admin')),
  projects TEXT,
  max_depth INTEGER CHECK (max_depth >= 0),
  max_starts INTEGER CHECK (max_starts >= 0),
  max_cost_usd REAL CHECK (max_cost_usd >= 0),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
INSERT INTO api_tokens_new (id, user_id, name, token_hash, scope, projects, created_at, expires_at, last_used_at)
  SELECT id, user_id, name, token_hash, scope, projects, created_at, expires_at, last_used_at FROM api_tokens;
DROP TABLE api_tokens;
ALTER TABLE api_tokens_new RENAME TO api_tokens;
CREATE INDEX api_tokens_of_user ON api_tokens (user_id);
CREATE INDEX api_tokens_of_execution ON api_tokens (execution_id);

CREATE TABLE agent_starts (
  subject TEXT PRIMARY KEY,
  attempt_id TEXT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  token_id TEXT NOT NULL,
  parent_execution TEXT,
  parent_attempt TEXT,
  root TEXT NOT NULL,
  depth INTEGER NOT NULL CHECK (depth > 0),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX agent_starts_of_root ON agent_starts (root);
CREATE INDEX agent_starts_of_attempt ON agent_starts (attempt_id);

ALTER TABLE commands ADD COLUMN content_hash TEXT;
ALTER TABLE projects ADD COLUMN agent_access INTEGER NOT NULL DEFAULT 0 CHECK (agent_access IN (0, 1));
ALTER TABLE attempts ADD COLUMN agent_access INTEGER CHECK (agent_access IN (0, 1));
`;
