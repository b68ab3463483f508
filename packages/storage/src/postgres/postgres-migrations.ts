import { agentAccessSchema } from "./agent-access-schema.ts";
import { automationsSchema } from "./automations-schema.ts";
import { budgetsSchema } from "./budgets-schema.ts";
import { text } from "./column-types.ts";
import { hostsSchema } from "./hosts-schema.ts";
import { importsSchema } from "./imports-schema.ts";
import { initialSchema } from "./initial-schema.ts";
import { jobsSchema } from "./jobs-schema.ts";
import { nodesSchema } from "./nodes-schema.ts";
import { usersSchema } from "./users-schema.ts";
import { waitsSchema } from "./waits-schema.ts";

/**
 * `version` is the schema version after the migration, with the number of the SQLite migration that leads to the same tables. Forward
 * only; a released migration never changes. A test compares the tables of both databases.
 */
export interface PostgresMigration {
  version: number;
  sql: string;
}

export const postgresMigrations: readonly PostgresMigration[] = [
  { version: 16, sql: initialSchema },
  {
    version: 17,
    sql: `
ALTER TABLE attempts ADD COLUMN forked_execution ${text};
ALTER TABLE attempts ADD COLUMN forked_place ${text} CHECK (forked_place IN ('start', 'end'))
  CHECK ((forked_place IS NULL) = (forked_execution IS NULL));
ALTER TABLE landings ADD COLUMN head_id ${text} NOT NULL DEFAULT '';
UPDATE landings SET head_id = commit_id;
ALTER TABLE projects ADD COLUMN auto_commit bigint NOT NULL DEFAULT 0 CHECK (auto_commit IN (0, 1));
`,
  },
  {
    version: 18,
    sql: `
CREATE TABLE pull_requests (
  attempt_id ${text} PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE,
  task_id ${text} NOT NULL,
  forge ${text} NOT NULL CHECK (forge IN ('github', 'gitlab', 'gitea')),
  host ${text} NOT NULL,
  repository ${text} NOT NULL,
  number bigint NOT NULL CHECK (number > 0),
  url ${text} NOT NULL,
  state ${text} NOT NULL CHECK (state IN ('open', 'draft', 'merged', 'closed')),
  body ${text} NOT NULL,
  sent ${text} NOT NULL,
  publish_after ${text},
  next_check_at bigint,
  seen_at bigint NOT NULL,
  failures bigint NOT NULL CHECK (failures >= 0)
);
CREATE INDEX pull_requests_of_task ON pull_requests (task_id);
CREATE INDEX pull_requests_to_check ON pull_requests (next_check_at) WHERE next_check_at IS NOT NULL;
`,
  },
  {
    version: 19,
    sql: `
ALTER TABLE pull_requests ADD COLUMN inbox_added_at bigint;
ALTER TABLE pull_requests ADD COLUMN inbox_cleared_at bigint CHECK (inbox_cleared_at IS NULL OR inbox_added_at IS NOT NULL);
CREATE INDEX pull_requests_in_inbox ON pull_requests (task_id) WHERE inbox_added_at IS NOT NULL AND inbox_cleared_at IS NULL;
`,
  },
  { version: 20, sql: hostsSchema },
  { version: 21, sql: nodesSchema },
  { version: 22, sql: usersSchema },
  { version: 23, sql: importsSchema },
  { version: 24, sql: waitsSchema },
  { version: 25, sql: jobsSchema },
  { version: 26, sql: agentAccessSchema },
  { version: 27, sql: `ALTER TABLE attempts ADD COLUMN sandbox ${text} CHECK (sandbox IN ('off', 'workspace'))` },
  { version: 28, sql: budgetsSchema },
  {
    version: 29,
    sql: `
ALTER TABLE attempts ADD COLUMN race_id ${text};
ALTER TABLE attempts ADD COLUMN archived bigint CHECK (archived IN (0, 1));
ALTER TABLE attempts ADD COLUMN check_state ${text};
ALTER TABLE attempts ADD COLUMN last_check ${text} CHECK ((last_check IS NULL) = (check_state IS NULL));
CREATE INDEX attempts_with_open_check ON attempts (id) WHERE check_state IN ('waiting', 'running');
CREATE INDEX attempts_of_race ON attempts (race_id) WHERE race_id IS NOT NULL;
ALTER TABLE projects ADD COLUMN run_checks bigint NOT NULL DEFAULT 0 CHECK (run_checks IN (0, 1));
`,
  },
  {
    version: 30,
    sql: `
ALTER TABLE nodes ADD COLUMN draining bigint NOT NULL DEFAULT 0 CHECK (draining IN (0, 1));
ALTER TABLE nodes ADD COLUMN drain ${text};
`,
  },
  { version: 31, sql: automationsSchema },
  { version: 32, sql: "ALTER TABLE projects ADD COLUMN workers_fetch bigint NOT NULL DEFAULT 0 CHECK (workers_fetch IN (0, 1))" },
  {
    version: 33,
    sql: `
CREATE TABLE shared_settings (name ${text} PRIMARY KEY, value ${text} NOT NULL);
CREATE TABLE node_commits (node_id ${text} PRIMARY KEY, mark ${text} NOT NULL);
`,
  },
];
