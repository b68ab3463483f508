import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentId, type ImportProblem, isSessionId, type TaskStatus } from "@skein/contracts";
import { type CopiedDatabase, copyDatabase } from "../sessions/copy-database.ts";
import { pathExists } from "../sessions/list-session-files.ts";
import type { FoundSession, OpenSource, SessionSource, SourceContext, SourceEnvironment } from "../sessions/session-source.ts";
import { parseKanbanTime, readKanbanSession } from "./read-kanban-session.ts";
import { type KanbanSession, type KanbanTables, readKanbanTables } from "./vibe-kanban-tables.ts";

/** The database of vibe-kanban: its tasks, and the logs of the agents that worked on them. */
export const vibeKanbanSessions: SessionSource = {
  id: "vibe-kanban",
  name: "vibe-kanban",
  listPlaces: (environment) => [toFolder(environment)],
  open: openKanban,
};

function toFolder({ XDG_DATA_HOME, HOME = homedir() }: SourceEnvironment): string {
  if (process.platform === "darwin") return join(HOME, "Library/Application Support/ai.bloop.vibe-kanban");
  return join(XDG_DATA_HOME || join(HOME, ".local/share"), "vibe-kanban");
}

function openKanban(context: SourceContext): OpenSource {
  const folder = toFolder(context.environment);
  let copy: CopiedDatabase | undefined;
  let opened: Promise<{ tables: KanbanTables; file: string } | { problem: ImportProblem } | undefined> | undefined;

  async function openTables() {
    for (const name of ["db.v2.sqlite", "db.sqlite"]) {
      const file = join(folder, name);
      if (!(await pathExists(file))) continue;
      const copied = await copyDatabase(file, context.scratch);
      if ("code" in copied) return { problem: copied };
      copy = copied;
      const tables = readKanbanTables(copied.database);
      return tables === undefined ? { problem: { code: "unreadable-database" as const, file } } : { tables, file };
    }
    return undefined;
  }

  const open = () => {
    opened ??= openTables();
    return opened;
  };

  return {
    async find() {
      const found = await open();
      if (found === undefined) return { places: [], sessions: [], problems: [] };
      if ("problem" in found) return { places: [found.problem.file], sessions: [], problems: [found.problem] };
      const { tables, file } = found;
      try {
        const sessions = tables.listSessions().filter(({ processes }) => processes > 0);
        return { places: [file], sessions: sessions.map((session) => toFound(session, tables, file)), problems: [] };
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        return { places: [file], sessions: [], problems: [{ code: "unreadable-database", file, detail }] };
      }
    },
    async read(session, { sink, from }) {
      const found = await open();
      if (found !== undefined && "tables" in found) await readKanbanSession(session, { ...found, folder, sink, from });
    },
    async [Symbol.asyncDispose]() {
      await opened?.catch(() => {});
      await copy?.[Symbol.asyncDispose]();
    },
  };
}

const statuses: Readonly<Record<string, TaskStatus>> = {
  todo: "todo",
  inprogress: "in-progress",
  inreview: "in-review",
  done: "done",
  cancelled: "cancelled",
};

const agents: Readonly<Record<string, string>> = { CLAUDE_CODE: "claude-code", CODEX: "codex", GEMINI: "gemini", OPENCODE: "opencode" };

function toFound(session: KanbanSession, tables: KanbanTables, file: string): FoundSession {
  const { id, task, name, repository, folder, processes, logBytes } = session;
  const runs = tables.listProcesses(id);
  const last = runs.at(-1);
  const agentSessionId = runs.findLast((run) => run.agentSessionId !== null)?.agentSessionId ?? null;
  const startedAt = parseKanbanTime(session.createdAt) ?? 0;
  const updatedAt = parseKanbanTime(last?.completedAt ?? null) ?? parseKanbanTime(session.updatedAt) ?? startedAt;
  const title = task?.title ?? name ?? null;
  return {
    id,
    agent: toAgent(session.executor),
    agentSessionId: agentSessionId !== null && isSessionId(agentSessionId) ? agentSessionId : null,
    title,
    directory: repository ?? folder,
    startedAt,
    updatedAt,
    bytes: logBytes,
    fingerprint: [processes, logBytes, last?.id ?? "", last?.status ?? "", updatedAt, task?.status ?? "", task?.title ?? ""].join("."),
    files: [file],
    ...(task === undefined ? {} : { task: { ...task, status: statuses[task.status] ?? "done" } }),
  };
}

/** `CLAUDE_CODE`, or in some versions with a variant: `CLAUDE_CODE:PLAN`. */
function toAgent(executor: string | null): AgentId {
  const name = (executor ?? "").toUpperCase().replaceAll("-", "_").split(":", 1)[0] ?? "";
  return (agents[name] ?? `acp:${name === "" ? "unknown" : name.toLowerCase().replaceAll("_", "-")}`) as AgentId;
}
