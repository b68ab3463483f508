import type { Generated } from "kysely";

export interface UserTable {
  id: string;
  email: string;
  name: string;
  admin: number;
  password: string | null;
  created_at: number;
  updated_at: number;
  deactivated_at: number | null;
}

interface UserIdentityTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: number;
}

interface ProjectMemberTable {
  project_id: string;
  user_id: string;
  role: string;
  created_at: number;
}

export interface InvitationTable {
  id: string;
  code_hash: string;
  email: string | null;
  admin: number;
  projects: string;
  invited_by: string | null;
  created_at: number;
  expires_at: number;
  used_by: string | null;
}

export interface UserSessionTable {
  id: string;
  user_id: string;
  cookie_hash: string;
  secret_hash: string;
  address: string;
  user_agent: string;
  created_at: number;
  expires_at: number;
  last_used_at: number;
}

export interface ApiTokenTable {
  id: string;
  user_id: string | null;
  execution_id: string | null;
  name: string;
  token_hash: string;
  scope: string;
  projects: string | null;
  max_depth: number | null;
  max_starts: number | null;
  max_cost_usd: number | null;
  created_at: number;
  expires_at: number;
  last_used_at: number | null;
}

interface OneTimeCodeTable {
  code_hash: string;
  data: string;
  expires_at: number;
}

interface SignInLimitTable {
  subject: string;
  failures: number;
  blocked_until: number;
  updated_at: number;
}

/** `owner` is the id of a project or a user. */
interface OwnedKeyTable {
  owner: string;
  name: string;
  sealed: string;
  updated_at: number;
}

export interface AuditEntryTable {
  number: Generated<number>;
  at: number;
  caller: string;
  user_id: string | null;
  user_name: string | null;
  token_id: string | null;
  action: string;
  outcome: string;
  project_id: string | null;
  subjects: string;
  details: string | null;
  address: string;
}

/** The tables of team mode; empty on other servers. */
export interface TeamDatabase {
  users: UserTable;
  user_identities: UserIdentityTable;
  project_members: ProjectMemberTable;
  invitations: InvitationTable;
  user_sessions: UserSessionTable;
  api_tokens: ApiTokenTable;
  one_time_codes: OneTimeCodeTable;
  sign_in_limits: SignInLimitTable;
  owned_keys: OwnedKeyTable;
  audit_entries: AuditEntryTable;
}
