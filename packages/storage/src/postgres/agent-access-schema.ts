import { text } from "./column-types.ts";

/** See the SQLite schema of the same name. */
export const agentAccessSchema = `
ALTER TABLE api_tokens ALTER COLUMN user_id DROP NOT NULL;
ALTER TABLE api_tokens ADD COLUMN execution_id ${text} REFERENCES executions (id) ON DELETE CASCADE;
ALTER TABLE api_tokens DROP CONSTRAINT api_tokens_scope_check;
ALTER TABLE api_tokens ADD CHECK (scope IN ('read', 'write', 'approve', 'manage', 'admin'));
ALTER TABLE api_tokens ADD COLUMN max_depth bigint CHECK (max_depth >= 0);
ALTER TABLE api_tokens ADD COLUMN max_starts bigint CHECK (max_starts >= 0);
ALTER TABLE api_tokens ADD COLUMN max_cost_usd double precision CHECK (max_cost_usd >= 0);
CREATE INDEX api_tokens_of_execution ON api_tokens (execution_id);

CREATE TABLE agent_starts (
  subject ${text} PRIMARY KEY,
  attempt_id ${text} NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  token_id ${text} NOT NULL,
  parent_execution ${text},
  parent_attempt ${text},
  root ${text} NOT NULL,
  depth bigint NOT NULL CHECK (depth > 0),
  created_at bigint NOT NULL
);
CREATE INDEX agent_starts_of_root ON agent_starts (root);
CREATE INDEX agent_starts_of_attempt ON agent_starts (attempt_id);

ALTER TABLE commands ADD COLUMN content_hash ${text};
ALTER TABLE projects ADD COLUMN agent_access bigint NOT NULL DEFAULT 0 CHECK (agent_access IN (0, 1));
ALTER TABLE attempts ADD COLUMN agent_access bigint CHECK (agent_access IN (0, 1));
`;
