/**
 * The pull request of an attempt, with what the watcher needs to continue after a restart. It is deleted with the attempt. A row
 * without `next_check_at` is not watched.
 */
export const pullRequestSchema = `
CREATE TABLE pull_requests (
  attempt_id TEXT PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE,
  task_id TEXT NOT NULL,
  forge TEXT NOT NULL CHECK (forge IN ('github', 'gitlab', 'gitea')),
  host TEXT NOT NULL,
  repository TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  url TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'draft', 'merged', 'closed')),
  body TEXT NOT NULL,
  sent TEXT NOT NULL,
  publish_after TEXT,
  next_check_at INTEGER,
  seen_at INTEGER NOT NULL,
  failures INTEGER NOT NULL CHECK (failures >= 0)
) STRICT;
CREATE INDEX pull_requests_of_task ON pull_requests (task_id);
CREATE INDEX pull_requests_to_check ON pull_requests (next_check_at) WHERE next_check_at IS NOT NULL;
`;

/** When a pull request's feedback was added to the inbox, and when it was cleared. */
export const feedbackItemsSchema = `
ALTER TABLE pull_requests ADD COLUMN inbox_added_at INTEGER;
ALTER TABLE pull_requests ADD COLUMN inbox_cleared_at INTEGER CHECK (inbox_cleared_at IS NULL OR inbox_added_at IS NOT NULL);
CREATE INDEX pull_requests_in_inbox ON pull_requests (task_id) WHERE inbox_added_at IS NOT NULL AND inbox_cleared_at IS NULL;
`;
