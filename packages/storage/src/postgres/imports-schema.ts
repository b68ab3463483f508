import { text } from "./column-types.ts";

/** See the SQLite schema of the same name. */
export const importsSchema = `
CREATE TABLE imported_sessions (
  source ${text} NOT NULL,
  session_id ${text} NOT NULL,
  attempt_id ${text} NOT NULL,
  generation bigint NOT NULL CHECK (generation >= 0),
  fingerprint ${text} NOT NULL,
  position bigint NOT NULL CHECK (position >= 0),
  turn_key ${text} NOT NULL,
  turns bigint NOT NULL CHECK (turns >= 0),
  imported_at bigint NOT NULL,
  PRIMARY KEY (source, session_id)
);
CREATE UNIQUE INDEX imported_sessions_of_attempt ON imported_sessions (attempt_id);
CREATE INDEX attempts_with_session ON attempts (session_id) WHERE session_id IS NOT NULL;

DROP TRIGGER executions_end_once ON executions;
CREATE OR REPLACE FUNCTION executions_end_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM imported_sessions WHERE attempt_id = OLD.attempt_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'an execution that has ended does not change' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER executions_end_once BEFORE UPDATE ON executions FOR EACH ROW WHEN (OLD.status <> 'running')
EXECUTE FUNCTION executions_end_once();
`;
