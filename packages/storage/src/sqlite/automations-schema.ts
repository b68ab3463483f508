/*
 * Templates, schedules and webhooks; `kind` decides what is in `definition`. And what they did: of the runs of one automation with the same
 * key (the time of a schedule, the id of a delivery) there is one.
 */
export const automationsSchema = `
CREATE TABLE automations (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('template', 'schedule', 'incoming-hook', 'outgoing-hook')),
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  definition TEXT NOT NULL CHECK (json_valid(definition)),
  created_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX automations_of_project ON automations (project_id, kind);

CREATE TABLE automation_runs (
  automation_id TEXT NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'done', 'skipped', 'failed')),
  at INTEGER NOT NULL,
  ended_at INTEGER,
  task_id TEXT,
  detail TEXT NOT NULL CHECK (json_valid(detail)),
  PRIMARY KEY (automation_id, key),
  CHECK ((ended_at IS NULL) = (state = 'open'))
) STRICT;
CREATE INDEX automation_runs_by_time ON automation_runs (automation_id, at);
`;
