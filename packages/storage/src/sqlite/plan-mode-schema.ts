/*
 * Adds a permission mode. The CHECK exists only in the table's definition and is changed there, as documented by SQLite
 * (https://sqlite.org/lang_altertable.html, section 7).
 */
export const planModeSchema = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'permission_mode IN (''ask'',', 'permission_mode IN (''plan'', ''ask'',')
  WHERE type = 'table' AND name = 'attempts';
PRAGMA writable_schema = RESET;

ALTER TABLE approvals ADD COLUMN plan TEXT;

-- what the agent's own session offers, and which of its modes the user chose
ALTER TABLE attempts ADD COLUMN session_options TEXT;
ALTER TABLE attempts ADD COLUMN agent_mode TEXT;
`;
