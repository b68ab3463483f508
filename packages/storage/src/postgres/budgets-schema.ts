import { text } from "./column-types.ts";

/** The columns of SQLite's `budgets-schema.ts`. */
export const budgetsSchema = `
ALTER TABLE executions ADD COLUMN hold ${text} CHECK (hold IS NULL OR (status = 'running' AND wait_reason IS NULL));
ALTER TABLE executions ADD COLUMN spent ${text};
ALTER TABLE executions ADD COLUMN open_calls ${text} CHECK (open_calls IS NULL OR status = 'running');
ALTER TABLE executions ADD COLUMN stopping ${text} CHECK (stopping IS NULL OR status = 'running');

CREATE TABLE budgets (
  scope ${text} NOT NULL CHECK (scope IN ('execution', 'task', 'project', 'projectDay', 'day')),
  subject ${text} NOT NULL,
  project_id ${text} REFERENCES projects (id) ON DELETE CASCADE,
  task_id ${text} REFERENCES tasks (id) ON DELETE CASCADE,
  own ${text},
  allowed ${text},
  PRIMARY KEY (scope, subject)
);
CREATE INDEX budgets_of_project ON budgets (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX budgets_of_task ON budgets (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX executions_by_start ON executions (started_at);
`;
