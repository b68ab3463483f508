/*
 * Executions that wait for the user or a provider (`hold`, JSON); what running ones have used so far (`spent`, flat JSON, with the time in
 * which they waited), the model calls that they have permission for (`open_calls`, by id, with what each can use) and the budget that
 * stops them (`stopping`). And the budgets of single tasks (`own`), with what users allowed beyond the budgets of all (`allowed`).
 */
export const budgetsSchema = `
ALTER TABLE executions ADD COLUMN hold TEXT CHECK (hold IS NULL OR (status = 'running' AND wait_reason IS NULL));
ALTER TABLE executions ADD COLUMN spent TEXT;
ALTER TABLE executions ADD COLUMN open_calls TEXT CHECK (open_calls IS NULL OR status = 'running');
ALTER TABLE executions ADD COLUMN stopping TEXT CHECK (stopping IS NULL OR status = 'running');

CREATE TABLE budgets (
  scope TEXT NOT NULL CHECK (scope IN ('execution', 'task', 'project', 'projectDay', 'day')),
  subject TEXT NOT NULL,
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,
  task_id TEXT REFERENCES tasks (id) ON DELETE CASCADE,
  own TEXT,
  allowed TEXT,
  PRIMARY KEY (scope, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX budgets_of_project ON budgets (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX budgets_of_task ON budgets (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX executions_by_start ON executions (started_at);
`;
