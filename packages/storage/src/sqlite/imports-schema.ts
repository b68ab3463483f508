/*
 * What was imported of the sessions of other programs. A row survives the deletion of its task, so that the next import does not bring
 * back what a user deleted. The last execution of an imported attempt may grow with its session: it is the one exception from
 * `executions_end_once`.
 */
export const importsSchema = `
CREATE TABLE imported_sessions (
  source TEXT NOT NULL,
  session_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation >= 0),
  fingerprint TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0),
  turn_key TEXT NOT NULL,
  turns INTEGER NOT NULL CHECK (turns >= 0),
  imported_at INTEGER NOT NULL,
  PRIMARY KEY (source, session_id)
) STRICT;
CREATE UNIQUE INDEX imported_sessions_of_attempt ON imported_sessions (attempt_id);
CREATE INDEX attempts_with_session ON attempts (session_id) WHERE session_id IS NOT NULL;

DROP TRIGGER executions_end_once;
CREATE TRIGGER executions_end_once BEFORE UPDATE ON executions
WHEN OLD.status <> 'running' AND NOT EXISTS (SELECT 1 FROM imported_sessions WHERE attempt_id = OLD.attempt_id)
BEGIN
  SELECT RAISE(ABORT, 'an execution that has ended does not change');
END;
`;
