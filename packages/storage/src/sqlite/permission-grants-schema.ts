/*
 * A permanent permission is stored as one JSON value, because there are several kinds. Before, it was a tool, or a tool and a command
 * prefix: the latter becomes a read-only command, which applies only if its program is on the list of read-only programs. No rule is
 * deleted: the user sees which of them no longer apply.
 *
 * Open approvals lose their “always” option: it would not be what they showed. Resolved approvals are otherwise immutable, so the
 * trigger that enforces this is dropped and recreated.
 */
const toGrant = (tool: string, prefix: string) => `CASE
    WHEN ${prefix} IS NOT NULL THEN json_object('type', 'read-only-command', 'tool', ${tool}, 'program', ${prefix})
    WHEN ${tool} IN ('write', 'edit', 'Edit', 'file_change') THEN json_object('type', 'edits', 'tool', ${tool})
    ELSE json_object('type', 'tool', 'tool', ${tool})
  END`;

export const permissionGrantsSchema = `
CREATE TABLE permission_rules_new (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  permission_grant TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO permission_rules_new SELECT id, project_id, ${toGrant("tool", "command_prefix")}, created_at FROM permission_rules;
DROP TABLE permission_rules;
ALTER TABLE permission_rules_new RENAME TO permission_rules;
CREATE UNIQUE INDEX permission_rules_once ON permission_rules (project_id, permission_grant);

DROP TRIGGER approvals_resolve_once;
UPDATE approvals SET permission_grant = NULL WHERE status = 'pending';
UPDATE approvals SET permission_grant = ${toGrant("json_extract(permission_grant, '$.tool')", "json_extract(permission_grant, '$.commandPrefix')")}
  WHERE permission_grant IS NOT NULL;
CREATE TRIGGER approvals_resolve_once BEFORE UPDATE ON approvals WHEN OLD.status <> 'pending'
BEGIN
  SELECT RAISE(ABORT, 'an approval that was resolved does not change');
END;
`;
