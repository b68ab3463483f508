import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { ImportProblem } from "@skein/contracts";
import { numberField, objectField, stringField } from "@skein/engine";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";
import { hasColumns } from "../sessions/copy-database.ts";
import { listSessionFiles } from "../sessions/list-session-files.ts";
import { readWholeFile } from "../sessions/read-session-lines.ts";

const maxFileBytes = 64 * 1024 * 1024;

export interface StoredSession {
  id: string;
  parentId: string | undefined;
  directory: string | undefined;
  title: string | undefined;
  createdAt: number;
  updatedAt: number;
  bytes: number;
  /** How many parts it has: a part that is added may not change the time. */
  parts: number;
}

export interface StoredRecord {
  id: string;
  data: JsonObject;
}

/** The sessions of opencode, in its database or in the files of earlier versions. */
export interface OpencodeStore {
  file: string;
  listSessions(): Promise<StoredSession[]>;
  /** In order. Records that are not JSON are reported by `onBroken`. */
  listMessages(sessionId: string, onBroken: (file: string) => void): Promise<StoredRecord[]>;
  listParts(messageId: string, onBroken: (file: string) => void): Promise<StoredRecord[]>;
}

/** Undefined if it has other tables than those that are known. */
export function openDatabaseStore(file: string, database: DatabaseSync): OpencodeStore | undefined {
  const isKnown =
    hasColumns(database, "session", "id", "parent_id", "directory", "title", "time_created", "time_updated") &&
    hasColumns(database, "message", "id", "session_id", "time_created", "data") &&
    hasColumns(database, "part", "id", "message_id", "session_id", "data");
  if (!isKnown) return undefined;
  const toRecords = (rows: Record<string, unknown>[], onBroken: (file: string) => void): StoredRecord[] =>
    rows.flatMap(({ id, data }) => {
      const parsed = parseLine(String(data));
      if (parsed.type === "object") return [{ id: String(id), data: parsed.value }];
      onBroken(file);
      return [];
    });
  const messages = database.prepare("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id");
  const parts = database.prepare("SELECT id, data FROM part WHERE message_id = ? ORDER BY id");
  return {
    file,
    async listSessions() {
      const rows = database
        .prepare(
          `SELECT s.id, s.parent_id, s.directory, s.title, s.time_created, s.time_updated, p.parts, p.bytes
           FROM session s LEFT JOIN (SELECT session_id, count(*) AS parts, sum(length(data)) AS bytes FROM part GROUP BY session_id) p
           ON p.session_id = s.id ORDER BY s.id`,
        )
        .all();
      return rows.map((row) => ({
        id: String(row.id),
        parentId: typeof row.parent_id === "string" && row.parent_id !== "" ? row.parent_id : undefined,
        directory: typeof row.directory === "string" && row.directory !== "" ? row.directory : undefined,
        title: typeof row.title === "string" ? row.title : undefined,
        createdAt: Number(row.time_created) || 0,
        updatedAt: Number(row.time_updated) || 0,
        bytes: Number(row.bytes) || 0,
        parts: Number(row.parts) || 0,
      }));
    },
    listMessages: async (sessionId, onBroken) => toRecords(messages.all(sessionId), onBroken),
    listParts: async (messageId, onBroken) => toRecords(parts.all(messageId), onBroken),
  };
}

/** `storage/session/<project>/<id>.json`, `storage/message/<session>/<id>.json`, `storage/part/<message>/<id>.json`. */
export function openFileStore(
  folder: string,
  { problems, pause }: { problems: ImportProblem[]; pause(): Promise<void> | undefined },
): OpencodeStore {
  async function readRecords(directory: string, onBroken: (file: string) => void): Promise<StoredRecord[]> {
    const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith(".json")).toSorted();
    const records: StoredRecord[] = [];
    for (const name of names) {
      const file = join(directory, name);
      const text = await readWholeFile(file, { maxBytes: maxFileBytes, sink: { problem: () => onBroken(file) } });
      if (text === undefined) continue;
      const parsed = parseLine(text);
      if (parsed.type === "object") records.push({ id: basename(name, ".json"), data: parsed.value });
      else onBroken(file);
      const waiting = pause();
      if (waiting !== undefined) await waiting;
    }
    return records;
  }
  return {
    file: folder,
    async listSessions() {
      const files = await listSessionFiles(join(folder, "session"), {
        depth: 1,
        matches: (name) => name.endsWith(".json"),
        problems,
        pause,
      });
      const sessions: StoredSession[] = [];
      for (const { path, modifiedAt } of files) {
        // `share` and the like
        if (!basename(dirname(path)) || !basename(path).startsWith("ses")) continue;
        const text = await readWholeFile(path, { maxBytes: maxFileBytes, sink: { problem: (problem) => problems.push(problem) } });
        const parsed = parseLine(text ?? "");
        if (parsed.type !== "object") {
          if (text !== undefined) problems.push({ code: "unknown-format", file: path });
          continue;
        }
        const { value } = parsed;
        const time = objectField(value, "time");
        const id = stringField(value, "id") ?? basename(path, ".json");
        const messages = await readdir(join(folder, "message", id)).catch(() => []);
        sessions.push({
          id,
          parentId: stringField(value, "parentID"),
          directory: stringField(value, "directory"),
          title: stringField(value, "title"),
          createdAt: numberField(time, "created") ?? modifiedAt,
          updatedAt: numberField(time, "updated") ?? modifiedAt,
          bytes: text?.length ?? 0,
          parts: messages.length,
        });
      }
      return sessions;
    },
    listMessages: async (sessionId, onBroken) => {
      const records = await readRecords(join(folder, "message", sessionId), onBroken);
      const createdAt = ({ data }: StoredRecord) => numberField(objectField(data, "time"), "created") ?? 0;
      return records.toSorted((a, b) => createdAt(a) - createdAt(b) || (a.id < b.id ? -1 : 1));
    },
    listParts: (messageId, onBroken) => readRecords(join(folder, "part", messageId), onBroken),
  };
}
