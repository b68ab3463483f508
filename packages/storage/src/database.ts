import type { Generated } from "kysely";
import type { TeamDatabase } from "./team-database.ts";

/*
 * The tables in types that SQLite and Postgres share: text, integers and floating point numbers. A flag is 0 or 1, JSON is text, a time
 * is epoch milliseconds, so that rows are converted in one place for every database.
 */

export interface ProjectTable {
  id: string;
  name: string;
  path: string;
  system_prompt: string;
  auto_commit: number;
  run_checks: number;
  workers_fetch: number;
  agent_access: number;
  node_id: string | null;
  created_at: number;
  updated_at: number;
}

export interface TaskTable {
  id: string;
  project_id: string;
  title: string;
  description: string;
  status: string;
  priority: string;
  tags: string;
  position: number;
  archived: number;
  /** Actors are JSON. */
  created_by: string | null;
  created_at: number;
  updated_at: number;
}

export interface AttemptTable {
  id: string;
  task_id: string;
  number: number;
  agent: string;
  model: string | null;
  permission_mode: string;
  agent_mode: string | null;
  system_prompt: string;
  agent_access: number | null;
  sandbox: string | null;
  isolation: string;
  host_id: string | null;
  directory: string;
  branch: string | null;
  base_branch: string | null;
  base_commit: string | null;
  session_id: string | null;
  resumed_session: string | null;
  session_options: string | null;
  continued_from: string | null;
  forked_execution: string | null;
  forked_place: string | null;
  active: number;
  race_id: string | null;
  /** Null: it never was. */
  archived: number | null;
  check_state: string | null;
  /** JSON. */
  last_check: string | null;
  created_by: string | null;
  node_id: string | null;
  created_at: number;
  updated_at: number;
}

export interface HostTable {
  id: string;
  kind: string;
  name: string;
  tags: string;
  capacity: number;
  version: string;
  agents: string;
  state: string;
  token_hash: string;
  expires_at: number | null;
  last_seen_at: number | null;
  connected_node_id: string | null;
  created_at: number;
}

export interface ExecutionTable {
  id: string;
  task_id: string;
  attempt_id: string;
  number: number;
  status: string;
  started_at: number;
  ended_at: number | null;
  duration_ms: number | null;
  exit_code: number | null;
  reason: string | null;
  reason_text: string | null;
  usage: string | null;
  end_code: string | null;
  sent_by: string | null;
  owner_node: string | null;
  stop_requested_at: number | null;
  /** Why its agent has not been started yet, and since when. */
  wait_reason: string | null;
  wait_since: number | null;
  wait_position: number | null;
  /** Why it waits for the user or a provider: JSON. */
  hold: string | null;
  /** What it has used so far, and how long it has waited: JSON. */
  spent: string | null;
  open_calls: string | null;
  stopping: string | null;
}

interface BudgetTable {
  scope: string;
  subject: string;
  project_id: string | null;
  task_id: string | null;
  own: string | null;
  allowed: string | null;
}

export interface IngestPositionTable {
  execution_id: string;
  log_offset: number;
  ingest_state: string | null;
}

export interface IngestEntryTable {
  execution_id: string;
  name: string;
  value: string;
}

export interface MessageTable {
  id: string;
  attempt_id: string;
  execution_id: string;
  position: number;
  body: string;
  tokens: number | null;
  model: string | null;
  usage: string | null;
  created_at: number;
}

export interface ConversationMessageTable {
  row_id: Generated<number>;
  attempt_id: string;
  execution_id: string;
  id: string;
  position: number;
  revision: number;
  timestamp: number;
  body: string;
  /** Activity of a running tool; null for every other message. */
  running_tool: string | null;
}

export interface QueuedMessageTable {
  id: string;
  task_id: string;
  attempt_id: string;
  position: number;
  message: string;
  images: string;
  steer: number;
  sent_by: string | null;
  created_at: number;
}

export interface QueuePauseTable {
  attempt_id: string;
  reason: string;
  paused_at: number;
}

export interface ApprovalTable {
  id: string;
  task_id: string;
  attempt_id: string;
  execution_id: string;
  tool_use_id: string;
  tool_name: string;
  input: string;
  reason: string | null;
  reason_text: string | null;
  permission_grant: string | null;
  request_id: string | null;
  requested_at: number;
  status: string;
  decision: string | null;
  answer_reason: string | null;
  answers: string | null;
  plan: string | null;
  resolved_at: number | null;
  tampering: string | null;
  overwrites: number | null;
  answered_by: string | null;
}

export interface InboxItemTable {
  execution_id: string;
  attempt_id: string;
  task_id: string;
  added_at: number;
  cleared_at: number | null;
}

export interface GrantTable {
  id: string;
  project_id: string;
  permission_grant: string;
  created_at: number;
}

export interface CommandTable {
  id: string;
  result: string;
  content_hash: string | null;
  at: number;
}

/** The compressions of attempts; the newest of an attempt is active. */
export interface CompressionTable {
  number: Generated<number>;
  attempt_id: string;
  summary_id: string | null;
  pruning: string | null;
  created_at: number;
}

export interface SummaryTable {
  id: string;
  attempt_id: string;
  message_ids: string;
  start_message_id: string;
  end_message_id: string;
  summary: string;
  original_token_count: number;
  summary_token_count: number;
  model: string;
  status: string;
  created_at: number;
}

/** References without foreign keys: an event about a deleted subject is skipped when it is read. */
export interface EventTable {
  seq: Generated<number>;
  type: string;
  project_id: string | null;
  task_id: string | null;
  attempt_id: string | null;
  execution_id: string | null;
  message_id: string | null;
  approval_id: string | null;
  revision: number | null;
  data: string | null;
  at: number;
}

/** At most one row: messages with a lower `row_id` are only in the index of earlier releases. No row once that index is gone. */
export interface SearchBacklogTable {
  below: number;
}

/** Existing parts of the search index. */
export interface SearchPartTable {
  number: number;
}

/** Deleted subjects with unreachable rows: messages of executions, conversations and events of attempts, events of tasks. */
export interface DeletionTable {
  number: Generated<number>;
  kind: string;
  id: string;
  task_id: string;
  after_seq: Generated<number>;
}

/** Only in Postgres. */
export interface NodeTable {
  id: string;
  name: string;
  internal_url: string;
  version: string;
  state: string;
  fence: number;
  lease_until: number;
  started_at: number;
  epoch: string | null;
  home: string | null;
  draining: number;
  drain: string | null;
}

/** Only in Postgres. */
interface BrowserSessionTable {
  cookie_hash: string;
  secret_hash: string;
  created_at: number;
  expires_at: number;
}

/** One row, once a server has used the database. */
export interface InstanceTable {
  id: number;
  epoch: string;
  home: string;
}

export interface ReviewCommentTable {
  id: string;
  task_id: string;
  attempt_id: string;
  path: string | null;
  side: string;
  start_line: number | null;
  end_line: number | null;
  quote: string;
  body: string;
  state: string;
  execution_id: string | null;
  written_by: string | null;
  created_at: number;
  updated_at: number;
}

interface ViewedFileTable {
  attempt_id: string;
  path: string;
  content_id: string;
}

interface LandingTable {
  attempt_id: string;
  method: string;
  branch: string;
  commit_id: string;
  previous_id: string;
  head_id: string;
  landed_at: number;
  landed_by: string | null;
}

export interface PullRequestTable {
  attempt_id: string;
  task_id: string;
  forge: string;
  host: string;
  repository: string;
  number: number;
  url: string;
  state: string;
  /** The pull request as clients get it. */
  body: string;
  sent: string;
  publish_after: string | null;
  next_check_at: number | null;
  seen_at: number;
  failures: number;
  inbox_added_at: number | null;
  inbox_cleared_at: number | null;
}

export interface ImportedSessionTable {
  source: string;
  session_id: string;
  attempt_id: string;
  generation: number;
  fingerprint: string;
  position: number;
  turn_key: string;
  turns: number;
  imported_at: number;
}

interface AgentStartTable {
  subject: string;
  attempt_id: string;
  token_id: string;
  parent_execution: string | null;
  parent_attempt: string | null;
  root: string;
  depth: number;
  created_at: number;
}

export interface JobTable {
  id: string;
  name: string;
  key: string | null;
  data: string;
  state: string;
  run_at: number;
  tries: number;
  max_tries: number;
  backoff_ms: number;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  error: string | null;
  owner_node: string | null;
}

export interface JobScheduleTable {
  name: string;
  key: string;
  data: string;
  cron: string;
  time_zone: string;
  missed: string;
  next_run_at: number;
  last_run_at: number | null;
  missed_runs: number;
  last_missed_at: number | null;
}

export interface AutomationTable {
  id: string;
  kind: string;
  project_id: string;
  name: string;
  definition: string;
  created_by: string | null;
  created_at: number;
  updated_at: number;
}

export interface AutomationRunTable {
  automation_id: string;
  key: string;
  state: string;
  at: number;
  ended_at: number | null;
  task_id: string | null;
  detail: string;
}

export interface Database extends TeamDatabase {
  instance: InstanceTable;
  nodes: NodeTable;
  browser_sessions: BrowserSessionTable;
  cluster: { id: number; secret: string };
  shared_settings: { name: string; value: string };
  projects: ProjectTable;
  tasks: TaskTable;
  attempts: AttemptTable;
  executions: ExecutionTable;
  ingest_positions: IngestPositionTable;
  ingest_entries: IngestEntryTable;
  messages: MessageTable;
  conversation_messages: ConversationMessageTable;
  queued_messages: QueuedMessageTable;
  queue_pauses: QueuePauseTable;
  approvals: ApprovalTable;
  inbox_items: InboxItemTable;
  review_comments: ReviewCommentTable;
  viewed_files: ViewedFileTable;
  landings: LandingTable;
  hosts: HostTable;
  pull_requests: PullRequestTable;
  imported_sessions: ImportedSessionTable;
  jobs: JobTable;
  job_schedules: JobScheduleTable;
  automations: AutomationTable;
  automation_runs: AutomationRunTable;
  permission_rules: GrantTable;
  commands: CommandTable;
  agent_starts: AgentStartTable;
  budgets: BudgetTable;
  summaries: SummaryTable;
  compressions: CompressionTable;
  deletions: DeletionTable;
  events: EventTable;
  search_backlog: SearchBacklogTable;
  search_parts: SearchPartTable;
}
