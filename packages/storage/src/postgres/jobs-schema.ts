import { text } from "./column-types.ts";

/** The tables of SQLite's `jobs-schema.ts`. */
export const jobsSchema = `
CREATE TABLE jobs (
  id ${text} PRIMARY KEY,
  name ${text} NOT NULL,
  key ${text},
  data ${text} NOT NULL CHECK (json_valid(data)),
  state ${text} NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
  run_at bigint NOT NULL,
  tries bigint NOT NULL CHECK (tries >= 0),
  max_tries bigint NOT NULL CHECK (max_tries > 0),
  backoff_ms bigint NOT NULL CHECK (backoff_ms >= 0),
  created_at bigint NOT NULL,
  started_at bigint,
  ended_at bigint,
  error ${text},
  owner_node ${text},
  CHECK ((ended_at IS NULL) = (state IN ('waiting', 'running')))
);
CREATE UNIQUE INDEX jobs_with_key ON jobs (name, key) WHERE key IS NOT NULL AND state IN ('waiting', 'running');
CREATE INDEX jobs_to_run ON jobs (run_at) WHERE state = 'waiting';
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE job_schedules (
  name ${text} NOT NULL,
  key ${text} NOT NULL,
  data ${text} NOT NULL CHECK (json_valid(data)),
  cron ${text} NOT NULL,
  time_zone ${text} NOT NULL,
  missed ${text} NOT NULL CHECK (missed IN ('skip', 'once')),
  next_run_at bigint NOT NULL,
  last_run_at bigint,
  missed_runs bigint NOT NULL CHECK (missed_runs >= 0),
  last_missed_at bigint,
  PRIMARY KEY (name, key)
);
`;
