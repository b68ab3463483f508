import { join } from "node:path";
import type { AgentOutput, ExecutionId } from "@skein/contracts";
import { type AgentDecoder, objectField, stringField } from "@skein/engine";
import { createClaudeCodeDecoder } from "../claude-code/create-claude-code-decoder.ts";
import { createCodexDecoder } from "../codex/create-codex-decoder.ts";
import { parseLine } from "../lines/parse-line.ts";
import { BrokenLines } from "../sessions/broken-lines.ts";
import { pathExists } from "../sessions/list-session-files.ts";
import { parseTime } from "../sessions/parse-time.ts";
import { readSessionLines } from "../sessions/read-session-lines.ts";
import { RecordedTurn } from "../sessions/recorded-turn.ts";
import type { ReadFrom, SessionSink } from "../sessions/session-source.ts";
import type { KanbanProcess, KanbanTables } from "./vibe-kanban-tables.ts";

/** A time of SQLite, in UTC. */
export function parseKanbanTime(text: string | null): number | undefined {
  if (text === null) return undefined;
  return parseTime(/[Zz]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(" ", "T")}Z`);
}

/**
 * Reads a session of vibe-kanban: each run of its agent is a turn. Its log is what the agent printed, so the agent's own decoder reads it.
 * Of agents whose output it has changed, or that have no decoder, the prompt and the final answer are imported.
 */
export async function readKanbanSession(
  session: { id: string; agent: string },
  {
    tables,
    folder,
    sink,
    from,
    file,
  }: { tables: KanbanTables; folder: string; file: string; sink: SessionSink; from?: ReadFrom | undefined },
): Promise<void> {
  const processes = tables.listProcesses(session.id);
  const start = from === undefined ? 0 : processes.findIndex(({ id }) => id === from.mark);
  if (start < 0) sink.restart();
  for (const [index, process] of processes.entries()) {
    if (index < start) continue;
    const at = parseKanbanTime(process.startedAt) ?? 0;
    const text = readPrompt(process);
    if (text === undefined) continue;
    const executionId = sink.beginTurn({ key: process.id, position: index, mark: process.id, at, text, images: [] });
    const hasSpoken = await readLog({ session, process, executionId, at, tables, folder, file, sink });
    const endedAt = Math.max(at, parseKanbanTime(process.completedAt) ?? at);
    if (!hasSpoken && process.summary !== null) {
      const turn = new RecordedTurn(executionId, sink);
      turn.text(process.summary, { message: "summary", at: endedAt });
      turn.endMessage({ message: "summary", at: endedAt });
    }
    sink.endTurn(toEnd(process), endedAt);
  }
}

function toEnd({ status, exitCode }: KanbanProcess): { status: "success" | "failed" | "cancelled" | "interrupted"; reason?: string } {
  if (status === "completed") return { status: "success" };
  if (status === "killed") return { status: "cancelled" };
  if (status === "running") return { status: "interrupted" };
  return { status: "failed", ...(exitCode === null ? {} : { reason: `The agent exited with code ${exitCode}.` }) };
}

function readPrompt({ prompt, action }: KanbanProcess): string | undefined {
  if (prompt !== null) return prompt;
  const parsed = parseLine(action);
  return parsed.type === "object" ? stringField(objectField(parsed.value, "typ"), "prompt") : undefined;
}

/** Returns whether the agent has answered. */
async function readLog(input: {
  session: { id: string; agent: string };
  process: KanbanProcess;
  executionId: ExecutionId;
  at: number;
  tables: KanbanTables;
  folder: string;
  file: string;
  sink: SessionSink;
}): Promise<boolean> {
  const { session, process, executionId, at, sink } = input;
  const decoder = createDecoder(session.agent, executionId);
  if (decoder === undefined) return false;
  const output = new PrintedLines(decoder, at, sink);
  const inFile = join(input.folder, "sessions", session.id.slice(0, 2), session.id, "processes", `${process.id}.jsonl`);
  if (await pathExists(inFile)) {
    const broken = new BrokenLines(inFile);
    await readSessionLines(inFile, {
      sink,
      onLine: ({ text, number }) => {
        if (!output.add(text)) broken.add(number);
      },
    });
    broken.report(sink);
  } else {
    const broken = new BrokenLines(input.file);
    let number = 0;
    for (const part of input.tables.listLogs(process.id)) {
      for (const line of part.split("\n")) {
        number += 1;
        if (!output.add(line)) broken.add(number);
        const waiting = sink.pause();
        if (waiting !== undefined) await waiting;
      }
    }
    broken.report(sink);
  }
  return output.end();
}

function createDecoder(agent: string, executionId: ExecutionId): AgentDecoder | undefined {
  if (agent === "claude-code") return createClaudeCodeDecoder({ executionId });
  return agent === "codex" ? createCodexDecoder({ executionId }) : undefined;
}

/** Joins the chunks that the agent has printed. */
class PrintedLines {
  readonly #decoder: AgentDecoder;
  readonly #at: number;
  readonly #sink: SessionSink;
  #rest = "";
  #offset = 0;
  #hasSpoken = false;

  constructor(decoder: AgentDecoder, at: number, sink: SessionSink) {
    this.#decoder = decoder;
    this.#at = at;
    this.#sink = sink;
  }

  /** One entry of the log; false if it is not one. */
  add(entry: string): boolean {
    if (entry.trim() === "") return true;
    this.#sink.countLine();
    const parsed = parseLine(entry);
    // "Ready" and "Finished" are not objects
    if (parsed.type !== "object") return /^"\w+"$/.test(entry.trim());
    const printed = stringField(parsed.value, "Stdout");
    if (printed === undefined) return true;
    const lines = `${this.#rest}${printed}`.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#decode(line);
    return true;
  }

  end(): boolean {
    if (this.#rest !== "") this.#decode(this.#rest);
    return this.#hasSpoken;
  }

  #decode(text: string): void {
    const offset = this.#offset;
    this.#offset += Buffer.byteLength(text) + 1;
    for (const output of this.#decoder.decode({ text, offset, at: this.#at })) this.#pass(output);
  }

  #pass(output: AgentOutput): void {
    // vibe-kanban adds lines of its own
    if (output.type === "raw") return;
    if (output.type === "text" || output.type === "tool-use") this.#hasSpoken = true;
    if (output.type === "end") {
      const { status, reason, usage } = output;
      const end = { status, ...(reason === undefined ? {} : { reason }), ...(usage === undefined ? {} : { usage }) };
      this.#sink.endTurn(end, output.at);
    }
    this.#sink.output(output);
  }
}
