import { text } from "./column-types.ts";

/*
 * The tables of SQLite's schema version 16, with the same rules as constraints: one active attempt per task, one running execution per
 * attempt, the first answer and the first end win.
 */

const belongsToExecution = (table: string) => `
CREATE TRIGGER ${table}_belong_to_execution BEFORE INSERT ON ${table}
  FOR EACH ROW EXECUTE FUNCTION belongs_to_execution();
CREATE TRIGGER ${table}_stay_with_execution BEFORE UPDATE OF execution_id, attempt_id ON ${table}
  FOR EACH ROW EXECUTE FUNCTION belongs_to_execution();`;

const noteDeletion = (table: string, kind: string, taskId: string) => `
CREATE FUNCTION ${table}_note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deletions (kind, id, task_id) VALUES ('${kind}', OLD.id, OLD.${taskId});
  RETURN NULL;
END $$;
CREATE TRIGGER ${table}_note_deletion AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_note_deletion();`;

const refuseChange = (trigger: string, table: string, condition: string, message: string) => `
CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '${message}' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER ${trigger} BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${trigger}();`;

export const initialSchema = `
-- as SQLite has it
CREATE FUNCTION json_valid(value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  PERFORM value::json;
  RETURN true;
EXCEPTION WHEN invalid_text_representation THEN
  RETURN false;
END $$;

CREATE TABLE projects (
  id ${text} PRIMARY KEY,
  name ${text} NOT NULL,
  path ${text} NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  system_prompt ${text} NOT NULL DEFAULT ''
);

CREATE TABLE tasks (
  id ${text} PRIMARY KEY,
  project_id ${text} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  title ${text} NOT NULL,
  description ${text} NOT NULL,
  status ${text} NOT NULL CHECK (status IN ('todo', 'in-progress', 'in-review', 'done', 'cancelled')),
  priority ${text} NOT NULL CHECK (priority IN ('none', 'low', 'medium', 'high', 'urgent')),
  tags ${text} NOT NULL CHECK (json_valid(tags)),
  position double precision NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  archived bigint NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))
);
CREATE INDEX tasks_of_project ON tasks (project_id, position);

CREATE TABLE attempts (
  id ${text} PRIMARY KEY,
  task_id ${text} NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  number bigint NOT NULL CHECK (number > 0),
  agent ${text} NOT NULL,
  model ${text},
  permission_mode ${text} NOT NULL CHECK (permission_mode IN ('plan', 'ask', 'accept-edits', 'full')),
  isolation ${text} NOT NULL CHECK (isolation IN ('worktree', 'in-place')),
  directory ${text} NOT NULL,
  branch ${text},
  base_branch ${text},
  base_commit ${text},
  session_id ${text},
  active bigint NOT NULL CHECK (active IN (0, 1)),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  continued_from ${text} REFERENCES attempts (id),
  system_prompt ${text} NOT NULL DEFAULT '',
  session_options ${text},
  agent_mode ${text},
  resumed_session ${text},
  UNIQUE (task_id, number),
  UNIQUE (id, task_id)
);
CREATE UNIQUE INDEX attempts_one_active_per_task ON attempts (task_id) WHERE active = 1;
CREATE INDEX attempts_continued ON attempts (continued_from) WHERE continued_from IS NOT NULL;

CREATE TABLE executions (
  id ${text} PRIMARY KEY,
  task_id ${text} NOT NULL,
  attempt_id ${text} NOT NULL,
  number bigint NOT NULL CHECK (number > 0),
  status ${text} NOT NULL CHECK (status IN ('running', 'success', 'failed', 'cancelled', 'interrupted')),
  started_at bigint NOT NULL,
  ended_at bigint,
  duration_ms bigint CHECK (duration_ms >= 0),
  exit_code bigint,
  reason ${text},
  usage ${text} CHECK (json_valid(usage)),
  end_code ${text},
  reason_text ${text},
  UNIQUE (attempt_id, number),
  UNIQUE (id, attempt_id),
  FOREIGN KEY (attempt_id, task_id) REFERENCES attempts (id, task_id) ON DELETE CASCADE,
  CHECK ((status = 'running') = (ended_at IS NULL)),
  CHECK ((ended_at IS NULL) = (duration_ms IS NULL) AND (ended_at IS NULL) = (usage IS NULL))
);
CREATE UNIQUE INDEX executions_one_running_per_attempt ON executions (attempt_id) WHERE status = 'running';
CREATE INDEX executions_of_task ON executions (task_id, attempt_id);
${refuseChange("executions_end_once", "executions", "OLD.status <> 'running'", "an execution that has ended does not change")}

CREATE TABLE ingest_positions (
  execution_id ${text} PRIMARY KEY REFERENCES executions (id) ON DELETE CASCADE,
  log_offset bigint NOT NULL CHECK (log_offset >= 0),
  ingest_state ${text}
);

-- rowid: in SQLite every table has it; entries are in the order in which they were written
CREATE TABLE ingest_entries (
  execution_id ${text} NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  name ${text} NOT NULL,
  value ${text} NOT NULL,
  rowid bigint GENERATED BY DEFAULT AS IDENTITY,
  PRIMARY KEY (execution_id, name)
);

CREATE FUNCTION belongs_to_execution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- the lock keeps the execution until the message is committed
  PERFORM 1 FROM executions WHERE id = NEW.execution_id AND attempt_id = NEW.attempt_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a message belongs to an execution of its attempt' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TABLE messages (
  id ${text} PRIMARY KEY,
  attempt_id ${text} NOT NULL,
  execution_id ${text} NOT NULL,
  position bigint NOT NULL CHECK (position >= 0),
  body ${text} NOT NULL,
  tokens bigint,
  model ${text},
  usage ${text},
  created_at bigint NOT NULL
);
CREATE INDEX messages_in_order ON messages (execution_id, position);
${belongsToExecution("messages")}

CREATE TABLE conversation_messages (
  row_id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  attempt_id ${text} NOT NULL,
  execution_id ${text} NOT NULL,
  id ${text} NOT NULL,
  position bigint NOT NULL,
  revision bigint NOT NULL CHECK (revision > 0),
  timestamp bigint NOT NULL,
  body ${text} NOT NULL,
  running_tool ${text},
  UNIQUE (attempt_id, id),
  UNIQUE (attempt_id, position)
);
CREATE INDEX conversation_messages_of_execution ON conversation_messages (execution_id);
CREATE INDEX conversation_messages_running ON conversation_messages (execution_id, position) WHERE running_tool IS NOT NULL;
${belongsToExecution("conversation_messages")}

CREATE TABLE queued_messages (
  id ${text} PRIMARY KEY,
  task_id ${text} NOT NULL,
  attempt_id ${text} NOT NULL,
  position bigint NOT NULL,
  message ${text} NOT NULL,
  images ${text} NOT NULL,
  steer bigint NOT NULL CHECK (steer IN (0, 1)),
  created_at bigint NOT NULL,
  UNIQUE (attempt_id, position),
  FOREIGN KEY (attempt_id, task_id) REFERENCES attempts (id, task_id) ON DELETE CASCADE
);

CREATE TABLE queue_pauses (
  attempt_id ${text} PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE,
  reason ${text} NOT NULL,
  paused_at bigint NOT NULL
);
CREATE FUNCTION queue_pauses_need_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM queue_pauses WHERE attempt_id = OLD.attempt_id
    AND NOT EXISTS (SELECT 1 FROM queued_messages WHERE attempt_id = OLD.attempt_id);
  RETURN NULL;
END $$;
CREATE TRIGGER queue_pauses_need_messages AFTER DELETE ON queued_messages
  FOR EACH ROW EXECUTE FUNCTION queue_pauses_need_messages();

CREATE TABLE approvals (
  id ${text} PRIMARY KEY,
  task_id ${text} NOT NULL,
  attempt_id ${text} NOT NULL,
  execution_id ${text} NOT NULL,
  tool_use_id ${text} NOT NULL,
  tool_name ${text} NOT NULL,
  input ${text} NOT NULL,
  reason ${text},
  permission_grant ${text},
  request_id ${text},
  requested_at bigint NOT NULL,
  status ${text} NOT NULL CHECK (status IN ('pending', 'answered', 'expired')),
  decision ${text} CHECK (decision IN ('allow', 'allow-always', 'deny')),
  answer_reason ${text},
  answers ${text},
  resolved_at bigint,
  tampering ${text},
  overwrites bigint CHECK (overwrites IN (0, 1)),
  plan ${text},
  reason_text ${text},
  UNIQUE (execution_id, tool_use_id),
  FOREIGN KEY (execution_id, attempt_id) REFERENCES executions (id, attempt_id) ON DELETE CASCADE,
  FOREIGN KEY (attempt_id, task_id) REFERENCES attempts (id, task_id) ON DELETE CASCADE,
  CHECK ((status = 'pending') = (resolved_at IS NULL)),
  CHECK ((status = 'answered') = (decision IS NOT NULL))
);
CREATE INDEX approvals_of_attempt ON approvals (attempt_id);
CREATE INDEX approvals_pending ON approvals (execution_id) WHERE status = 'pending';
${refuseChange("approvals_resolve_once", "approvals", "OLD.status <> 'pending'", "an approval that was resolved does not change")}

CREATE TABLE inbox_items (
  execution_id ${text} PRIMARY KEY,
  attempt_id ${text} NOT NULL,
  task_id ${text} NOT NULL,
  added_at bigint NOT NULL,
  cleared_at bigint,
  FOREIGN KEY (execution_id, attempt_id) REFERENCES executions (id, attempt_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX inbox_items_one_open_per_attempt ON inbox_items (attempt_id) WHERE cleared_at IS NULL;
CREATE INDEX inbox_items_open ON inbox_items (task_id) WHERE cleared_at IS NULL;

CREATE TABLE permission_rules (
  id ${text} PRIMARY KEY,
  project_id ${text} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  permission_grant ${text} NOT NULL,
  created_at bigint NOT NULL
);
CREATE UNIQUE INDEX permission_rules_once ON permission_rules (project_id, permission_grant);

CREATE TABLE commands (
  id ${text} PRIMARY KEY,
  result ${text} NOT NULL,
  at bigint NOT NULL
);

CREATE TABLE summaries (
  id ${text} PRIMARY KEY,
  attempt_id ${text} NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  message_ids ${text} NOT NULL,
  start_message_id ${text} NOT NULL,
  end_message_id ${text} NOT NULL,
  summary ${text} NOT NULL,
  original_token_count bigint NOT NULL,
  summary_token_count bigint NOT NULL,
  model ${text} NOT NULL,
  status ${text} NOT NULL CHECK (status IN ('active', 'superseded', 'invalid')),
  created_at bigint NOT NULL
);
CREATE INDEX summaries_of_attempt ON summaries (attempt_id);
CREATE UNIQUE INDEX summaries_one_active_per_attempt ON summaries (attempt_id) WHERE status = 'active';

CREATE TABLE compressions (
  number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  attempt_id ${text} NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  summary_id ${text} REFERENCES summaries (id) ON DELETE CASCADE,
  pruning ${text},
  created_at bigint NOT NULL
);
CREATE INDEX compressions_of_attempt ON compressions (attempt_id, number);

-- One writer at a time (see postgres-writer.ts): numbers become visible in their order.
CREATE TABLE events (
  seq bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  type ${text} NOT NULL,
  project_id ${text},
  task_id ${text},
  attempt_id ${text},
  execution_id ${text},
  message_id ${text},
  approval_id ${text},
  revision bigint,
  data ${text},
  at bigint NOT NULL
);
CREATE INDEX events_of_task ON events (task_id, seq);
CREATE INDEX events_of_project ON events (project_id) WHERE project_id IS NOT NULL;

CREATE TABLE instance (
  id bigint PRIMARY KEY CHECK (id = 1),
  epoch ${text} NOT NULL,
  home ${text} NOT NULL
);

CREATE TABLE search_backlog (below bigint NOT NULL);
CREATE TABLE search_parts (number bigint PRIMARY KEY);

CREATE TABLE deletions (
  number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  kind ${text} NOT NULL CHECK (kind IN ('execution', 'attempt', 'task')),
  id ${text} NOT NULL,
  task_id ${text} NOT NULL,
  -- events up to here were examined
  after_seq bigint NOT NULL DEFAULT 0
);
${noteDeletion("executions", "execution", "task_id")}
${noteDeletion("attempts", "attempt", "task_id")}
${noteDeletion("tasks", "task", "id")}

CREATE TABLE review_comments (
  id ${text} PRIMARY KEY,
  task_id ${text} NOT NULL,
  attempt_id ${text} NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  path ${text},
  side ${text} NOT NULL CHECK (side IN ('old', 'new')),
  start_line bigint CHECK (start_line > 0),
  end_line bigint CHECK (end_line >= start_line),
  quote ${text} NOT NULL,
  body ${text} NOT NULL,
  state ${text} NOT NULL CHECK (state IN ('draft', 'sent', 'resolved')),
  execution_id ${text},
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CHECK ((start_line IS NULL) = (end_line IS NULL)),
  CHECK (start_line IS NULL OR path IS NOT NULL)
);
CREATE INDEX review_comments_of_attempt ON review_comments (attempt_id, created_at, id);

CREATE TABLE viewed_files (
  attempt_id ${text} NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  path ${text} NOT NULL,
  content_id ${text} NOT NULL,
  PRIMARY KEY (attempt_id, path)
);

CREATE TABLE landings (
  attempt_id ${text} PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE,
  method ${text} NOT NULL CHECK (method IN ('fast-forward', 'squash', 'merge')),
  branch ${text} NOT NULL,
  commit_id ${text} NOT NULL,
  previous_id ${text} NOT NULL,
  landed_at bigint NOT NULL
);
`;
