/**
 * Comments and viewed marks of reviews, and where an attempt was landed. All of it belongs to an attempt and is deleted with it. A
 * sent comment outlives the execution that it was sent with only as long as the attempt does: executions are not deleted on their own.
 */
export const reviewSchema = `
CREATE TABLE review_comments (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  path TEXT,
  side TEXT NOT NULL CHECK (side IN ('old', 'new')),
  start_line INTEGER CHECK (start_line > 0),
  end_line INTEGER CHECK (end_line >= start_line),
  quote TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('draft', 'sent', 'resolved')),
  execution_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((start_line IS NULL) = (end_line IS NULL)),
  CHECK (start_line IS NULL OR path IS NOT NULL)
) STRICT;
CREATE INDEX review_comments_of_attempt ON review_comments (attempt_id, created_at, id);

CREATE TABLE viewed_files (
  attempt_id TEXT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  content_id TEXT NOT NULL,
  PRIMARY KEY (attempt_id, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE landings (
  attempt_id TEXT PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE,
  method TEXT NOT NULL CHECK (method IN ('fast-forward', 'squash', 'merge')),
  branch TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  previous_id TEXT NOT NULL,
  landed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
