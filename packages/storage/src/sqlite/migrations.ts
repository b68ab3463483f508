import { activitySchema } from "./activity-schema.ts";
import { agentAccessSchema } from "./agent-access-schema.ts";
import { automationsSchema } from "./automations-schema.ts";
import { budgetsSchema } from "./budgets-schema.ts";
import { deletionsSchema } from "./deletions-schema.ts";
import { forksSchema } from "./forks-schema.ts";
import { hostsSchema } from "./hosts-schema.ts";
import { importsSchema } from "./imports-schema.ts";
import { inboxSchema } from "./inbox-schema.ts";
import { initialSchema } from "./initial-schema.ts";
import { jobsSchema } from "./jobs-schema.ts";
import { landedHeadsSchema } from "./landed-heads-schema.ts";
import { nodesSchema } from "./nodes-schema.ts";
import { permissionGrantsSchema } from "./permission-grants-schema.ts";
import { planModeSchema } from "./plan-mode-schema.ts";
import { feedbackItemsSchema, pullRequestSchema } from "./pull-request-schema.ts";
import { reviewSchema } from "./review-schema.ts";
import { searchPartsSchema } from "./search-parts-schema.ts";
import { usersSchema } from "./users-schema.ts";
import { waitsSchema } from "./waits-schema.ts";

/** `version` is the schema version after the migration. Forward only; a released migration never changes. */
export interface Migration {
  version: number;
  sql: string;
  /** Edits table definitions (`writable_schema`), which SQLite prevents by default. */
  editsDefinitions?: boolean;
}

const autoCommitSchema = "ALTER TABLE projects ADD COLUMN auto_commit INTEGER NOT NULL DEFAULT 0 CHECK (auto_commit IN (0, 1));";

export const migrations: readonly Migration[] = [
  { version: 1, sql: initialSchema },
  { version: 2, sql: "ALTER TABLE tasks ADD COLUMN archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));" },
  { version: 3, sql: activitySchema },
  { version: 4, sql: "ALTER TABLE approvals ADD COLUMN tampering TEXT;" },
  { version: 5, sql: permissionGrantsSchema },
  {
    version: 6,
    sql: `
CREATE TABLE ingest_entries (
  execution_id TEXT NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (execution_id, name)
) STRICT;
`,
  },
  {
    version: 7,
    sql: `
ALTER TABLE projects ADD COLUMN system_prompt TEXT NOT NULL DEFAULT '';
ALTER TABLE attempts ADD COLUMN system_prompt TEXT NOT NULL DEFAULT '';
`,
  },
  {
    version: 8,
    sql: `
CREATE TABLE instance (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch TEXT NOT NULL,
  home TEXT NOT NULL
) STRICT;
`,
  },
  {
    version: 9,
    sql: `
CREATE TABLE search_backlog (below INTEGER NOT NULL) STRICT;
INSERT INTO search_backlog SELECT max(row_id) + 1 FROM conversation_messages HAVING max(row_id) IS NOT NULL;
`,
  },
  { version: 10, sql: deletionsSchema + searchPartsSchema, editsDefinitions: true },
  {
    version: 11,
    sql: `
ALTER TABLE executions ADD COLUMN end_code TEXT;

CREATE TABLE queue_pauses (
  attempt_id TEXT PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  paused_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER queue_pauses_need_messages AFTER DELETE ON queued_messages
WHEN NOT EXISTS (SELECT 1 FROM queued_messages WHERE attempt_id = OLD.attempt_id)
BEGIN
  DELETE FROM queue_pauses WHERE attempt_id = OLD.attempt_id;
END;
`,
  },
  { version: 12, sql: inboxSchema },
  { version: 13, sql: planModeSchema, editsDefinitions: true },
  {
    version: 14,
    sql: `
ALTER TABLE executions ADD COLUMN reason_text TEXT;
ALTER TABLE approvals ADD COLUMN reason_text TEXT;
`,
  },
  { version: 15, sql: "ALTER TABLE attempts ADD COLUMN resumed_session TEXT;" },
  { version: 16, sql: reviewSchema },
  { version: 17, sql: forksSchema + landedHeadsSchema + autoCommitSchema },
  { version: 18, sql: pullRequestSchema },
  { version: 19, sql: feedbackItemsSchema },
  { version: 20, sql: hostsSchema },
  { version: 21, sql: nodesSchema },
  { version: 22, sql: usersSchema },
  { version: 23, sql: importsSchema },
  { version: 24, sql: waitsSchema },
  { version: 25, sql: jobsSchema },
  { version: 26, sql: agentAccessSchema },
  { version: 27, sql: "ALTER TABLE attempts ADD COLUMN sandbox TEXT CHECK (sandbox IN ('off', 'workspace'));" },
  { version: 28, sql: budgetsSchema },
  {
    version: 29,
    sql: `
ALTER TABLE attempts ADD COLUMN race_id TEXT;
ALTER TABLE attempts ADD COLUMN archived INTEGER CHECK (archived IN (0, 1));
ALTER TABLE attempts ADD COLUMN check_state TEXT;
ALTER TABLE attempts ADD COLUMN last_check TEXT CHECK ((last_check IS NULL) = (check_state IS NULL));
CREATE INDEX attempts_with_open_check ON attempts (id) WHERE check_state IN ('waiting', 'running');
CREATE INDEX attempts_of_race ON attempts (race_id) WHERE race_id IS NOT NULL;
ALTER TABLE projects ADD COLUMN run_checks INTEGER NOT NULL DEFAULT 0 CHECK (run_checks IN (0, 1));
`,
  },
  // servers of several: only in Postgres
  { version: 30, sql: "" },
  { version: 31, sql: automationsSchema },
  { version: 32, sql: "ALTER TABLE projects ADD COLUMN workers_fetch INTEGER NOT NULL DEFAULT 0 CHECK (workers_fetch IN (0, 1));" },
  // settings of several servers, and what they have committed: only in Postgres
  { version: 33, sql: "" },
];
