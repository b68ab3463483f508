/*
 * Work that servers do by themselves. Of the jobs of a name with the same key, one at most is waiting or running. `owner_node`: the server
 * that runs it, if several share the database.
 */
export const jobsSchema = `
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  key TEXT,
  data TEXT NOT NULL CHECK (json_valid(data)),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
  run_at INTEGER NOT NULL,
  tries INTEGER NOT NULL CHECK (tries >= 0),
  max_tries INTEGER NOT NULL CHECK (max_tries > 0),
  backoff_ms INTEGER NOT NULL CHECK (backoff_ms >= 0),
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  error TEXT,
  owner_node TEXT,
  CHECK ((ended_at IS NULL) = (state IN ('waiting', 'running')))
) STRICT;
CREATE UNIQUE INDEX jobs_with_key ON jobs (name, key) WHERE key IS NOT NULL AND state IN ('waiting', 'running');
CREATE INDEX jobs_to_run ON jobs (run_at) WHERE state = 'waiting';
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE job_schedules (
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  data TEXT NOT NULL CHECK (json_valid(data)),
  cron TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  missed TEXT NOT NULL CHECK (missed IN ('skip', 'once')),
  next_run_at INTEGER NOT NULL,
  last_run_at INTEGER,
  missed_runs INTEGER NOT NULL CHECK (missed_runs >= 0),
  last_missed_at INTEGER,
  PRIMARY KEY (name, key)
) STRICT;
`;
