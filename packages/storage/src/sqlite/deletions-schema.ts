/*
 * An attempt may have a hundred thousand messages, and a cascade would remove them all in one blocking statement. So messages do not
 * reference their execution: the rows above them are deleted at once, which hides them, and `deletions`, filled by triggers, lists what
 * remains to be removed. Triggers also check that a message is only inserted into an execution of its attempt.
 *
 * A foreign key is a part of the table's definition alone, so it is taken out there, in the way that SQLite documents for it
 * (https://sqlite.org/lang_altertable.html, section 7): copying the tables would take minutes.
 */
const belongsToExecution = (table: string, event: string, name: string) => `
CREATE TRIGGER ${table}_${name} BEFORE ${event} ON ${table}
WHEN NOT EXISTS (SELECT 1 FROM executions WHERE id = NEW.execution_id AND attempt_id = NEW.attempt_id)
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed');
END;`;

const noteDeletion = (table: string, kind: string, taskId: string) => `
CREATE TRIGGER ${table}_note_deletion AFTER DELETE ON ${table}
BEGIN
  INSERT INTO deletions (kind, id, task_id) VALUES ('${kind}', OLD.id, OLD.${taskId});
END;`;

const tables = ["messages", "conversation_messages"];

export const deletionsSchema = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ',
  FOREIGN KEY (execution_id, attempt_id) REFERENCES executions (id, attempt_id) ON DELETE CASCADE', '')
  WHERE type = 'table' AND name IN ('messages', 'conversation_messages');
PRAGMA writable_schema = RESET;

-- their words are removed together, by whoever deletes messages
DROP TRIGGER conversation_messages_leave_search;
${tables.map((table) => belongsToExecution(table, "INSERT", "belong_to_execution")).join("")}
${tables.map((table) => belongsToExecution(table, "UPDATE OF execution_id, attempt_id", "stay_with_execution")).join("")}

CREATE TABLE deletions (
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('execution', 'attempt', 'task')),
  id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  -- events up to here have been looked at
  after_seq INTEGER NOT NULL DEFAULT 0
) STRICT;
${noteDeletion("executions", "execution", "task_id")}
${noteDeletion("attempts", "attempt", "task_id")}
${noteDeletion("tasks", "task", "id")}
`;
