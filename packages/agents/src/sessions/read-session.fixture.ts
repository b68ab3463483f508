import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AgentOutput, ConversationMessage, ExecutionId, ImportProblem } from "@skein/contracts";
import { createMessageProcessor } from "@skein/engine";
import { onTestFinished } from "vitest";
import { formatConversation } from "../recordings/format-conversation.fixture.ts";
import type { FoundSession, OpenSource, ReadFrom, SessionSink, SessionSource, Turn, TurnEnd } from "./session-source.ts";

const fixtures = join(import.meta.dirname, "__fixtures__");

/** A home folder with the recorded sessions of an agent, at the place where the agent keeps them. */
export function createHome(...copies: [fixture: string, place: string][]): string {
  const home = mkdtempSync(join(tmpdir(), "skein-sessions-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [fixture, place] of copies) cpSync(join(fixtures, fixture), join(home, place), { recursive: true });
  return home;
}

/** opencode's database, or the files of its earlier versions, from the recorded rows. */
export function writeOpencode(home: string, form: "database" | "files"): string {
  const tables: Record<string, { sql: string; rows: Record<string, string | number | null>[] }> = JSON.parse(
    readFileSync(join(fixtures, "opencode/database.json"), "utf8"),
  );
  const folder = join(home, ".local/share/opencode");
  mkdirSync(folder, { recursive: true });
  if (form === "database") {
    const file = join(folder, "opencode.db");
    using database = new DatabaseSync(file);
    database.exec("PRAGMA journal_mode = WAL");
    for (const [name, { sql, rows }] of Object.entries(tables)) {
      database.exec(sql);
      for (const row of rows) {
        const columns = Object.keys(row);
        database
          .prepare(`INSERT INTO ${name} (${columns.map((column) => `"${column}"`).join()}) VALUES (${columns.map(() => "?").join()})`)
          .run(...Object.values(row));
      }
    }
    return file;
  }
  const write = (path: string, value: object) => {
    mkdirSync(dirname(join(folder, "storage", path)), { recursive: true });
    writeFileSync(join(folder, "storage", path), JSON.stringify(value));
  };
  for (const row of tables.session?.rows ?? []) {
    const time = { created: row.time_created, updated: row.time_updated };
    const { id, directory, title, parent_id } = row;
    write(`session/${row.project_id}/${id}.json`, { id, directory, title, time, ...(parent_id === null ? {} : { parentID: parent_id }) });
  }
  for (const row of tables.message?.rows ?? []) write(`message/${row.session_id}/${row.id}.json`, JSON.parse(String(row.data)));
  for (const row of tables.part?.rows ?? []) write(`part/${row.message_id}/${row.id}.json`, JSON.parse(String(row.data)));
  return join(folder, "storage");
}

/** Opens a source on a home folder. */
export function openSource(source: SessionSource | undefined, home: string): OpenSource {
  if (source === undefined) throw new Error("There is no such source.");
  return source.open({ environment: { HOME: home }, scratch: join(home, ".scratch"), pause: () => undefined });
}

export interface ReadSession {
  turns: { turn: Turn; end: TurnEnd & { at?: number }; conversation: ConversationMessage[]; outputs: AgentOutput[] }[];
  problems: Omit<ImportProblem, "sessionId">[];
  lines: number;
  restarts: number;
}

/** Reads a session as an import does, into memory. */
export async function readSession(source: OpenSource, session: FoundSession, from?: ReadFrom): Promise<ReadSession> {
  const read: ReadSession = { turns: [], problems: [], lines: 0, restarts: 0 };
  const sink: SessionSink = {
    beginTurn(turn) {
      read.turns.push({ turn, end: {}, conversation: [], outputs: [] });
      return `exe_${read.turns.length}` as ExecutionId;
    },
    output: (output) => void read.turns.at(-1)?.outputs.push(output),
    endTurn(end, at) {
      const turn = read.turns.at(-1);
      if (turn !== undefined) turn.end = { ...turn.end, ...end, at };
    },
    title() {},
    problem: (problem) => read.problems.push(problem),
    countLine: () => void read.lines++,
    pause: () => undefined,
    restart: () => void read.restarts++,
  };
  await source.read(session, { sink, from });
  for (const [index, turn] of read.turns.entries()) {
    const processor = createMessageProcessor({ executionId: `exe_${index + 1}` as ExecutionId });
    const shown = new Map<string, ConversationMessage>();
    const steps = turn.outputs.map((output) => processor.apply(output));
    for (const step of [...steps, processor.settle({ at: turn.end.at ?? 0, reason: "" })]) {
      for (const message of step.conversation) shown.set(message.id, message);
    }
    turn.conversation = [...shown.values()];
  }
  return read;
}

/** What a user sees of the session, one line per message. */
export function formatTurns({ turns }: ReadSession): string[] {
  return turns.flatMap(({ turn, end, conversation }) => {
    const nested = conversation.map((message) => {
      const parent = message.metadata !== undefined && "parentToolUseId" in message.metadata ? message.metadata.parentToolUseId : undefined;
      const [line = ""] = formatConversation({ outputs: [], conversation: [message] } as unknown as Parameters<
        typeof formatConversation
      >[0]);
      return parent === undefined ? line : `  ${line}`;
    });
    const images = turn.images.length === 0 ? "" : ` +${turn.images.length} image`;
    return [
      `> ${turn.text}${images}`,
      ...nested,
      `= ${end.status}${typeof end.reason === "string" ? ` ${end.reason}` : ""} ${JSON.stringify(end.usage ?? {})}`,
    ];
  });
}
