import { text } from "./column-types.ts";

/** The tables of SQLite's `automations-schema.ts`. */
export const automationsSchema = `
CREATE TABLE automations (
  id ${text} PRIMARY KEY,
  kind ${text} NOT NULL CHECK (kind IN ('template', 'schedule', 'incoming-hook', 'outgoing-hook')),
  project_id ${text} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name ${text} NOT NULL,
  definition ${text} NOT NULL CHECK (json_valid(definition)),
  created_by ${text},
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX automations_of_project ON automations (project_id, kind);

CREATE TABLE automation_runs (
  automation_id ${text} NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
  key ${text} NOT NULL,
  state ${text} NOT NULL CHECK (state IN ('open', 'done', 'skipped', 'failed')),
  at bigint NOT NULL,
  ended_at bigint,
  task_id ${text},
  detail ${text} NOT NULL CHECK (json_valid(detail)),
  PRIMARY KEY (automation_id, key),
  CHECK ((ended_at IS NULL) = (state = 'open'))
);
CREATE INDEX automation_runs_by_time ON automation_runs (automation_id, at);
`;
