/**
 * Users of a server in team mode, and who did what. Actors are stored with their name at that time: what a user did is kept when the
 * user is renamed or deactivated. A membership outlives its project, so that former members learn of the deletion.
 */
export const usersSchema = `
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  admin INTEGER NOT NULL CHECK (admin IN (0, 1)),
  password TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deactivated_at INTEGER
) STRICT;

CREATE TABLE user_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX user_identities_of_user ON user_identities (user_id);

CREATE TABLE project_members (
  project_id TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'owner')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, user_id)
) STRICT;
CREATE INDEX project_members_of_user ON project_members (user_id);

CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  code_hash TEXT NOT NULL UNIQUE,
  email TEXT,
  admin INTEGER NOT NULL CHECK (admin IN (0, 1)),
  projects TEXT NOT NULL,
  invited_by TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_by TEXT
) STRICT;

CREATE TABLE user_sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  cookie_hash TEXT NOT NULL UNIQUE,
  secret_hash TEXT NOT NULL,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX user_sessions_of_user ON user_sessions (user_id);

CREATE TABLE api_tokens (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'manage', 'admin')),
  projects TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX api_tokens_of_user ON api_tokens (user_id);

CREATE TABLE one_time_codes (
  code_hash TEXT PRIMARY KEY,
  data TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX one_time_codes_by_expiry ON one_time_codes (expires_at);

CREATE TABLE sign_in_limits (
  subject TEXT PRIMARY KEY,
  failures INTEGER NOT NULL CHECK (failures > 0),
  blocked_until INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_limits_by_age ON sign_in_limits (updated_at);

CREATE TABLE owned_keys (
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  sealed TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (owner, name)
) STRICT;

CREATE TABLE audit_entries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  caller TEXT NOT NULL CHECK (caller IN ('user', 'instance', 'anyone')),
  user_id TEXT,
  user_name TEXT,
  token_id TEXT,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused', 'failed')),
  project_id TEXT,
  subjects TEXT NOT NULL,
  details TEXT,
  address TEXT NOT NULL
) STRICT;
CREATE INDEX audit_entries_of_user ON audit_entries (user_id, number);
CREATE INDEX audit_entries_of_project ON audit_entries (project_id, number);
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries
BEGIN
  SELECT RAISE(ABORT, 'audit entries are never changed');
END;
CREATE TRIGGER audit_entries_remain BEFORE DELETE ON audit_entries
BEGIN
  SELECT RAISE(ABORT, 'audit entries are never deleted');
END;

ALTER TABLE tasks ADD COLUMN created_by TEXT;
ALTER TABLE attempts ADD COLUMN created_by TEXT;
ALTER TABLE executions ADD COLUMN sent_by TEXT;
ALTER TABLE queued_messages ADD COLUMN sent_by TEXT;
ALTER TABLE approvals ADD COLUMN answered_by TEXT;
ALTER TABLE review_comments ADD COLUMN written_by TEXT;
ALTER TABLE landings ADD COLUMN landed_by TEXT;
`;
