import { createHash } from "node:crypto";
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import type { ImportRun, ImportRuns, ImportSource, ImportSourceInfo, ImportSources, StartImport } from "@skein/contracts";
import type { RealServer } from "./real-server.ts";
import { newFolder, newRepository } from "./repository.ts";
import { isOnPostgres, runSql } from "./server-database.ts";

const fixtures = join(import.meta.dirname, "../../packages/agents/src/sessions/__fixtures__");

export interface UserHome {
  home: string;
  /** The repository in which the recorded sessions worked. */
  repository: string;
}

/** The home folder of a user of all programs. Their recorded sessions worked in a repository that exists. */
export function newUserHome(...sources: ImportSource[]): UserHome {
  const home = newFolder("user");
  const repository = newRepository("workspace");
  const places = { "claude-code": ".claude", codex: ".codex", gemini: ".gemini" } as const;
  for (const [source, place] of Object.entries(places)) {
    if (!sources.includes(source as ImportSource)) continue;
    cpSync(join(fixtures, source), join(home, place), { recursive: true });
    for (const file of listFiles(join(home, place))) writeFileSync(file, moveFolder(readFileSync(file, "utf8"), repository));
  }
  if (sources.includes("opencode")) writeOpencode(home, repository);
  if (sources.includes("vibe-kanban")) writeVibeKanban(home, repository);
  return { home, repository };
}

const moveFolder = (text: string, repository: string) => text.replace(/\/workspace(?=["/\\<,: \n]|$)/g, repository);

function writeOpencode(home: string, repository: string): void {
  const folder = join(home, ".local/share/opencode");
  mkdirSync(folder, { recursive: true });
  const text = moveFolder(readFileSync(join(fixtures, "opencode/database.json"), "utf8"), repository);
  const tables: Record<string, { sql: string; rows: Record<string, string | number | null>[] }> = JSON.parse(text);
  using database = new DatabaseSync(join(folder, "opencode.db"));
  database.exec("PRAGMA journal_mode = WAL");
  for (const [name, { sql, rows }] of Object.entries(tables)) {
    database.exec(sql);
    for (const row of rows) insert(database, name, row);
  }
}

/** Its tables as its migrations make them; the logs are recordings of Claude Code. */
function writeVibeKanban(home: string, repository: string): void {
  const folder = join(home, ".local/share/vibe-kanban");
  mkdirSync(folder, { recursive: true });
  const id = (number: number) => new Uint8Array(16).fill(number);
  using database = new DatabaseSync(join(folder, "db.v2.sqlite"));
  database.exec(readFileSync(join(fixtures, "vibe-kanban/schema.sql"), "utf8"));
  insert(database, "projects", { id: id(1), name: "workspace" });
  insert(database, "repos", { id: id(2), path: repository, name: "workspace", display_name: "workspace" });
  insert(database, "tasks", { id: id(3), project_id: id(1), title: "Fix the colours", description: "All of them", status: "inreview" });
  insert(database, "workspaces", { id: id(4), task_id: id(3), container_ref: "/gone", branch: "vk/1" });
  insert(database, "workspace_repos", { id: id(5), workspace_id: id(4), repo_id: id(2), target_branch: "main" });
  insert(database, "sessions", { id: id(6), workspace_id: id(4), executor: "CLAUDE_CODE" });
  const recordings = join(import.meta.dirname, "../../packages/agents/src/claude-code/__fixtures__");
  const recorded = readFileSync(join(recordings, "2.1.325-tools.ndjson"), "utf8");
  const times = { started_at: "2026-01-02 03:04:05.678", completed_at: "2026-01-02 03:05:05.678", created_at: "2026-01-02 03:04:05.678" };
  const run = { session_id: id(6), status: "completed", exit_code: 0, run_reason: "codingagent", ...times };
  insert(database, "execution_processes", { id: id(7), executor_action: JSON.stringify({ typ: { prompt: "unused" } }), ...run });
  insert(database, "coding_agent_turns", { id: id(8), execution_process_id: id(7), agent_session_id: "s-1", prompt: "Fix them" });
  // in pieces that do not end with lines
  const pieces = recorded.match(/[\s\S]{1,5000}/g) ?? [];
  const logs = pieces.map((piece) => JSON.stringify({ Stdout: piece })).join("\n");
  insert(database, "execution_process_logs", { execution_id: id(7), logs: `${logs}\n"Finished"\n`, byte_size: logs.length });
}

function insert(database: DatabaseSync, table: string, row: Record<string, string | number | null | Uint8Array>): void {
  const columns = Object.keys(row);
  database
    .prepare(`INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join()}) VALUES (${columns.map(() => "?").join()})`)
    .run(...Object.values(row));
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile())
    .toSorted();
}

/** What must not change by an import: names, content, permissions and times of all files. */
export function hashFiles(folder: string): string {
  const hash = createHash("sha256");
  for (const file of listFiles(folder)) {
    const { mode, mtimeMs, size } = lstatSync(file);
    hash.update(JSON.stringify([file, mode, mtimeMs, size])).update(readFileSync(file));
  }
  return hash.digest("hex");
}

export async function listSources({ api }: RealServer): Promise<Record<ImportSource, ImportSourceInfo>> {
  const { sources } = await api.request<ImportSources>("GET", "/api/import/sources");
  return Object.fromEntries(sources.map((source) => [source.source, source])) as Record<ImportSource, ImportSourceInfo>;
}

/** Starts an import and waits for its end. */
export async function runImport({ api }: RealServer, input: StartImport): Promise<ImportRun> {
  const { id } = await api.request<ImportRun>("POST", "/api/import", input);
  for (;;) {
    const { runs } = await api.request<ImportRuns>("GET", "/api/import/runs");
    const run = runs.find((one) => one.id === id);
    if (run === undefined) throw new Error(`The import ${id} is gone.`);
    if (run.endedAt !== null) return run;
    await setTimeout(20);
  }
}

/** Everything in the database except for times of the import itself and numbers of events. */
export async function dumpDatabase(home: string): Promise<Record<string, unknown[]>> {
  const copy = newFolder("dump");
  if (!isOnPostgres) for (const name of ["skein.db", "skein.db-wal"]) cpSync(join(home, name), join(copy, name));
  try {
    const all = (sql: string) => runSql({ home: isOnPostgres ? home : copy }, sql);
    return {
      projects: await all("SELECT name, path FROM projects ORDER BY path"),
      tasks: await all("SELECT id, title, description, status, archived, created_at, updated_at FROM tasks ORDER BY id"),
      attempts: await all("SELECT id, task_id, number, agent, session_id, directory, created_at, updated_at FROM attempts ORDER BY id"),
      executions: await all("SELECT * FROM executions ORDER BY attempt_id, number"),
      messages: await all("SELECT * FROM messages ORDER BY attempt_id, execution_id, position"),
      conversation: await all(
        "SELECT attempt_id, execution_id, id, revision, timestamp, body FROM conversation_messages ORDER BY attempt_id, position",
      ),
      sessions: await all(
        "SELECT source, session_id, attempt_id, fingerprint, position, turn_key, turns FROM imported_sessions ORDER BY session_id",
      ),
      ends: await all(
        "SELECT execution_id, count(*) AS count FROM events WHERE type = 'execution:completed' GROUP BY execution_id ORDER BY 1",
      ),
    };
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** A session file of Claude Code with many turns. */
export function writeLongSession(
  { home, repository }: UserHome,
  { id, turns, toolsPerTurn }: { id: string; turns: number; toolsPerTurn: number },
): string {
  const folder = join(home, ".claude/projects/-long");
  mkdirSync(folder, { recursive: true });
  const start = Date.UTC(2026, 0, 1);
  const lines: string[] = [];
  const add = (line: object) => {
    const common = { uuid: `${id}-${lines.length}`, sessionId: id, cwd: repository, version: "2.1.325", isSidechain: false };
    lines.push(JSON.stringify({ ...common, timestamp: new Date(start + lines.length * 1000).toISOString(), ...line }));
  };
  for (let turn = 0; turn < turns; turn++) {
    add({ type: "user", message: { role: "user", content: `Question ${turn}` } });
    for (let tool = 0; tool < toolsPerTurn; tool++) {
      const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
      const toolId = `toolu_${turn}_${tool}`;
      const use = { type: "tool_use", id: toolId, name: "Bash", input: { command: `echo ${tool}` } };
      const message = { id: `msg_${turn}_${tool}`, role: "assistant", model: "claude-sonnet-5", usage };
      add({ type: "assistant", message: { ...message, content: [use] } });
      const result = { type: "tool_result", tool_use_id: toolId, content: `output ${tool} of turn ${turn}`, is_error: false };
      add({
        type: "user",
        message: { role: "user", content: [result] },
        toolUseResult: { stdout: `output ${tool}`, stderr: "", interrupted: false },
      });
    }
    const message = { id: `msg_${turn}_end`, role: "assistant", model: "claude-sonnet-5", usage: { input_tokens: 1, output_tokens: 1 } };
    add({ type: "assistant", message: { ...message, content: [{ type: "text", text: `Answer ${turn}` }] } });
  }
  const file = join(folder, `${id}.jsonl`);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}
