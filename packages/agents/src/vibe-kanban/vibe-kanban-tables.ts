import type { DatabaseSync } from "node:sqlite";
import { hasColumns } from "../sessions/copy-database.ts";

/** A session of vibe-kanban, with the task that it belongs to. Times are as SQLite's `datetime` writes them, in UTC. */
export interface KanbanSession {
  id: string;
  executor: string | null;
  repository: string | null;
  folder: string | null;
  createdAt: string;
  updatedAt: string;
  name: string | null;
  task: { id: string; title: string; description: string; status: string } | undefined;
  /** The number of processes, and the bytes of their logs in the database. */
  processes: number;
  logBytes: number;
}

/** One run of an agent. */
export interface KanbanProcess {
  id: string;
  action: string;
  status: string;
  exitCode: number | null;
  startedAt: string;
  completedAt: string | null;
  prompt: string | null;
  agentSessionId: string | null;
  summary: string | null;
}

/** The tables of vibe-kanban, of the versions since and before December 2025. */
export interface KanbanTables {
  listSessions(): KanbanSession[];
  listProcesses(sessionId: string): KanbanProcess[];
  /** The parts of a log, as JSON lines. */
  listLogs(processId: string): string[];
}

/** Undefined if the tables are those of no known version. */
export function readKanbanTables(database: DatabaseSync): KanbanTables | undefined {
  if (hasColumns(database, "execution_processes", "session_id", "executor_action", "run_reason"))
    return createTables(database, current(database));
  if (hasColumns(database, "execution_processes", "task_attempt_id", "executor_action", "run_reason"))
    return createTables(database, earlier);
  return undefined;
}

interface Statements {
  sessions: string;
  processes: string;
}

const uuid = (column: string) => `lower(hex(${column}))`;
const logBytes = (column: string) => `(SELECT coalesce(sum(l.byte_size), 0) FROM execution_processes e JOIN execution_process_logs l
  ON l.execution_id = e.id WHERE e.${column} = s.id AND e.run_reason = 'codingagent')`;
const processCount = (column: string) =>
  `(SELECT count(*) FROM execution_processes e WHERE e.${column} = s.id AND e.run_reason = 'codingagent')`;

/** Sessions belong to workspaces, which may have several repositories: the first one counts. */
function current(database: DatabaseSync): Statements {
  const name = hasColumns(database, "sessions", "name") ? "s.name" : "NULL";
  return {
    sessions: `
      SELECT ${uuid("s.id")} AS id, s.executor AS executor, w.container_ref AS folder, s.created_at AS createdAt, s.updated_at AS updatedAt,
        coalesce(${name}, ${hasColumns(database, "workspaces", "name") ? "w.name" : "NULL"}) AS name,
        (SELECT r.path FROM workspace_repos wr JOIN repos r ON r.id = wr.repo_id WHERE wr.workspace_id = w.id ORDER BY wr.created_at, r.path LIMIT 1)
          AS repository,
        ${uuid("t.id")} AS taskId, t.title AS title, t.description AS description, t.status AS status,
        ${processCount("session_id")} AS processes, ${logBytes("session_id")} AS logBytes
      FROM sessions s JOIN workspaces w ON w.id = s.workspace_id LEFT JOIN tasks t ON t.id = w.task_id
      ORDER BY s.created_at, s.id`,
    processes: `
      SELECT ${uuid("e.id")} AS id, e.executor_action AS action, e.status AS status, e.exit_code AS exitCode, e.started_at AS startedAt,
        e.completed_at AS completedAt, c.prompt AS prompt, c.agent_session_id AS agentSessionId, c.summary AS summary
      FROM execution_processes e LEFT JOIN coding_agent_turns c ON c.execution_process_id = e.id
      WHERE ${uuid("e.session_id")} = ? AND e.run_reason = 'codingagent' AND e.dropped = 0
      ORDER BY e.created_at, e.id`,
  };
}

/** An attempt is a session. */
const earlier: Statements = {
  sessions: `
    SELECT ${uuid("s.id")} AS id, s.executor AS executor, s.container_ref AS folder, s.created_at AS createdAt, s.updated_at AS updatedAt,
      NULL AS name, p.git_repo_path AS repository,
      ${uuid("t.id")} AS taskId, t.title AS title, t.description AS description, t.status AS status,
      ${processCount("task_attempt_id")} AS processes, ${logBytes("task_attempt_id")} AS logBytes
    FROM task_attempts s JOIN tasks t ON t.id = s.task_id JOIN projects p ON p.id = t.project_id
    ORDER BY s.created_at, s.id`,
  processes: `
    SELECT ${uuid("e.id")} AS id, e.executor_action AS action, e.status AS status, e.exit_code AS exitCode, e.started_at AS startedAt,
      e.completed_at AS completedAt, c.prompt AS prompt, c.session_id AS agentSessionId, c.summary AS summary
    FROM execution_processes e LEFT JOIN executor_sessions c ON c.execution_process_id = e.id
    WHERE ${uuid("e.task_attempt_id")} = ? AND e.run_reason = 'codingagent'
    ORDER BY e.created_at, e.id`,
};

function createTables(database: DatabaseSync, { sessions, processes }: Statements): KanbanTables {
  return {
    listSessions: () =>
      database
        .prepare(sessions)
        .all()
        .map((row) => ({
          id: toUuid(String(row.id)),
          executor: toText(row.executor),
          repository: toText(row.repository),
          folder: toText(row.folder),
          createdAt: String(row.createdAt),
          updatedAt: String(row.updatedAt),
          name: toText(row.name),
          task:
            row.title === null
              ? undefined
              : {
                  id: toUuid(String(row.taskId)),
                  title: String(row.title),
                  description: toText(row.description) ?? "",
                  status: String(row.status),
                },
          processes: Number(row.processes),
          logBytes: Number(row.logBytes),
        })),
    listProcesses: (sessionId) =>
      database
        .prepare(processes)
        .all(sessionId.replaceAll("-", ""))
        .map((row) => ({
          id: toUuid(String(row.id)),
          action: String(row.action),
          status: String(row.status),
          exitCode: row.exitCode === null ? null : Number(row.exitCode),
          startedAt: String(row.startedAt),
          completedAt: toText(row.completedAt),
          prompt: toText(row.prompt),
          agentSessionId: toText(row.agentSessionId),
          summary: toText(row.summary),
        })),
    listLogs: (processId) =>
      database
        .prepare(`SELECT logs FROM execution_process_logs WHERE ${uuid("execution_id")} = ? ORDER BY inserted_at, rowid`)
        .all(processId.replaceAll("-", ""))
        .map(({ logs }) => String(logs)),
  };
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
