/*
 * The rules E1 and E10 are constraints, so that no order of events and no bug can break them.
 * `(id, task_id)` and `(id, attempt_id)` are unique only to be referenced: a row cannot name an attempt of another task.
 */
export const initialSchema = `
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  path TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('todo', 'in-progress', 'in-review', 'done', 'cancelled')),
  priority TEXT NOT NULL CHECK (priority IN ('none', 'low', 'medium', 'high', 'urgent')),
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  position REAL NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_of_project ON tasks (project_id, position);

CREATE TABLE attempts (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  agent TEXT NOT NULL,
  model TEXT,
  permission_mode TEXT NOT NULL CHECK (permission_mode IN ('ask', 'accept-edits', 'full')),
  isolation TEXT NOT NULL CHECK (isolation IN ('worktree', 'in-place')),
  directory TEXT NOT NULL,
  branch TEXT,
  base_branch TEXT,
  base_commit TEXT,
  session_id TEXT,
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (task_id, number),
  UNIQUE (id, task_id)
) STRICT;
CREATE UNIQUE INDEX attempts_one_active_per_task ON attempts (task_id) WHERE active = 1;

CREATE TABLE executions (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  status TEXT NOT NULL CHECK (status IN ('running', 'success', 'failed', 'cancelled', 'interrupted')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  duration_ms INTEGER CHECK (duration_ms >= 0),
  exit_code INTEGER,
  reason TEXT,
  usage TEXT CHECK (json_valid(usage)),
  UNIQUE (attempt_id, number),
  UNIQUE (id, attempt_id),
  FOREIGN KEY (attempt_id, task_id) REFERENCES attempts (id, task_id) ON DELETE CASCADE,
  CHECK ((status = 'running') = (ended_at IS NULL)),
  CHECK ((ended_at IS NULL) = (duration_ms IS NULL) AND (ended_at IS NULL) = (usage IS NULL))
) STRICT;
CREATE UNIQUE INDEX executions_one_running_per_attempt ON executions (attempt_id) WHERE status = 'running';
CREATE TRIGGER executions_end_once BEFORE UPDATE ON executions WHEN OLD.status <> 'running'
BEGIN
  SELECT RAISE(ABORT, 'an execution that has ended does not change');
END;

CREATE TABLE ingest_positions (
  execution_id TEXT PRIMARY KEY REFERENCES executions (id) ON DELETE CASCADE,
  log_offset INTEGER NOT NULL CHECK (log_offset >= 0),
  ingest_state TEXT
) STRICT;

CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  attempt_id TEXT NOT NULL,
  execution_id TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0),
  body TEXT NOT NULL,
  tokens INTEGER,
  model TEXT,
  usage TEXT,
  created_at INTEGER NOT NULL,
  FOREIGN KEY (execution_id, attempt_id) REFERENCES executions (id, attempt_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX messages_in_order ON messages (execution_id, position);

CREATE TABLE conversation_messages (
  row_id INTEGER PRIMARY KEY,
  attempt_id TEXT NOT NULL,
  execution_id TEXT NOT NULL,
  id TEXT NOT NULL,
  position INTEGER NOT NULL,
  revision INTEGER NOT NULL CHECK (revision > 0),
  timestamp INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (attempt_id, id),
  UNIQUE (attempt_id, position),
  FOREIGN KEY (execution_id, attempt_id) REFERENCES executions (id, attempt_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX conversation_messages_of_execution ON conversation_messages (execution_id);
CREATE VIRTUAL TABLE conversation_search USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER conversation_messages_leave_search AFTER DELETE ON conversation_messages
BEGIN
  DELETE FROM conversation_search WHERE rowid = OLD.row_id;
END;

CREATE TABLE queued_messages (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  message TEXT NOT NULL,
  images TEXT NOT NULL,
  steer INTEGER NOT NULL CHECK (steer IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (attempt_id, position),
  FOREIGN KEY (attempt_id, task_id) REFERENCES attempts (id, task_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL,
  execution_id TEXT NOT NULL,
  tool_use_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  input TEXT NOT NULL,
  reason TEXT,
  permission_grant TEXT,
  request_id TEXT,
  requested_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'answered', 'expired')),
  decision TEXT CHECK (decision IN ('allow', 'allow-always', 'deny')),
  answer_reason TEXT,
  answers TEXT,
  resolved_at INTEGER,
  UNIQUE (execution_id, tool_use_id),
  FOREIGN KEY (execution_id, attempt_id) REFERENCES executions (id, attempt_id) ON DELETE CASCADE,
  FOREIGN KEY (attempt_id, task_id) REFERENCES attempts (id, task_id) ON DELETE CASCADE,
  CHECK ((status = 'pending') = (resolved_at IS NULL)),
  CHECK ((status = 'answered') = (decision IS NOT NULL))
) STRICT;
CREATE INDEX approvals_of_attempt ON approvals (attempt_id);
CREATE INDEX approvals_pending ON approvals (execution_id) WHERE status = 'pending';
CREATE TRIGGER approvals_resolve_once BEFORE UPDATE ON approvals WHEN OLD.status <> 'pending'
BEGIN
  SELECT RAISE(ABORT, 'an approval that was resolved does not change');
END;

CREATE TABLE permission_rules (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  tool TEXT NOT NULL,
  command_prefix TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX permission_rules_once ON permission_rules (project_id, tool, coalesce(command_prefix, ''));

CREATE TABLE commands (
  id TEXT PRIMARY KEY,
  result TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE summaries (
  id TEXT PRIMARY KEY,
  attempt_id TEXT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  message_ids TEXT NOT NULL,
  start_message_id TEXT NOT NULL,
  end_message_id TEXT NOT NULL,
  summary TEXT NOT NULL,
  original_token_count INTEGER NOT NULL,
  summary_token_count INTEGER NOT NULL,
  model TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'superseded', 'invalid')),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX summaries_of_attempt ON summaries (attempt_id);
CREATE UNIQUE INDEX summaries_one_active_per_attempt ON summaries (attempt_id) WHERE status = 'active';

CREATE TABLE compressions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  attempt_id TEXT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  summary_id TEXT REFERENCES summaries (id) ON DELETE CASCADE,
  pruning TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX compressions_of_attempt ON compressions (attempt_id, number);

-- AUTOINCREMENT: a sequence number that a client has seen is never given to another event.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  project_id TEXT,
  task_id TEXT,
  attempt_id TEXT,
  execution_id TEXT,
  message_id TEXT,
  approval_id TEXT,
  revision INTEGER,
  data TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_of_task ON events (task_id, seq);
CREATE INDEX events_of_project ON events (project_id) WHERE project_id IS NOT NULL;
`;
