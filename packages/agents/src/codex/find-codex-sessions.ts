import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentId, type ImportProblem, isSessionId } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";
import { parseLine } from "../lines/parse-line.ts";
import { listSessionFiles, pathExists, type SessionFile, toFingerprint } from "../sessions/list-session-files.ts";
import { parseTime } from "../sessions/parse-time.ts";
import { readStart } from "../sessions/read-session-lines.ts";
import type { FoundSession, FoundSessions, SourceEnvironment } from "../sessions/session-source.ts";
import { toFirstWords } from "../sessions/to-first-words.ts";
import { readCodexUserMessage } from "./codex-user-message.ts";

const firstBytes = 64 * 1024;
const mostBytes = 4 * 1024 * 1024;

/** Where Codex keeps its sessions; it moves those that were archived. */
export function listCodexPlaces({ CODEX_HOME, HOME = homedir() }: SourceEnvironment): string[] {
  const home = CODEX_HOME === undefined || CODEX_HOME === "" ? join(HOME, ".codex") : CODEX_HOME;
  return [join(home, "sessions"), join(home, "archived_sessions")];
}

/** A file per session, in folders by date. */
export async function findCodexSessions(
  environment: SourceEnvironment,
  options: { pause(): Promise<void> | undefined },
): Promise<FoundSessions> {
  const places: string[] = [];
  const problems: ImportProblem[] = [];
  const sessions: FoundSession[] = [];
  for (const place of listCodexPlaces(environment)) {
    if (!(await pathExists(place))) continue;
    places.push(place);
    const files = await listSessionFiles(place, { depth: 4, matches: (name) => /^rollout-.*\.jsonl$/.test(name), problems, ...options });
    for (const file of files) {
      const session = await describeSession(file, problems);
      if (session !== undefined) sessions.push(session);
      const waiting = options.pause();
      if (waiting !== undefined) await waiting;
    }
  }
  return { places, sessions, problems };
}

async function describeSession(file: SessionFile, problems: ImportProblem[]): Promise<FoundSession | undefined> {
  try {
    for (let bytes = firstBytes; ; bytes *= 8) {
      const { text, isWhole } = await readStart(file.path, bytes);
      const head = toHead(text.split("\n"));
      const isLast = isWhole || bytes >= mostBytes;
      if (head.prompt === undefined && !isLast) continue;
      // the work of a subagent is part of the session that started it
      if (head.isSubagent || (head.id !== undefined && head.prompt === undefined)) return undefined;
      if (head.id === undefined) {
        if (file.bytes > 0) problems.push({ code: "unknown-format", file: file.path });
        return undefined;
      }
      return {
        id: head.id,
        agent: "codex" as AgentId,
        agentSessionId: isSessionId(head.id) ? head.id : null,
        title: toFirstWords(head.prompt ?? ""),
        directory: head.directory ?? null,
        startedAt: head.startedAt ?? file.modifiedAt,
        updatedAt: file.modifiedAt,
        bytes: file.bytes,
        fingerprint: toFingerprint([file]),
        files: [file.path],
      };
    }
  } catch (error) {
    problems.push({ code: "unreadable-file", file: file.path, detail: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

interface Head {
  id?: string;
  directory?: string;
  startedAt?: number;
  prompt?: string;
  isSubagent: boolean;
}

function toHead(lines: readonly string[]): Head {
  const head: Head = { isSubagent: false };
  for (const [index, text] of lines.entries()) {
    const parsed = parseLine(text);
    if (parsed.type !== "object") continue;
    const { value } = parsed;
    const payload = objectField(value, "payload");
    if (index === 0) {
      // before 0.30 the first line has no type
      const meta = value.type === "session_meta" ? payload : value;
      const id = stringField(meta, "id");
      if (id === undefined) break;
      head.id = id;
      head.isSubagent =
        objectField(objectField(meta, "source"), "subagent") !== undefined || stringField(meta, "thread_source") === "subagent";
      const directory = stringField(meta, "cwd");
      if (directory !== undefined) head.directory = directory;
      const startedAt = parseTime(meta?.timestamp);
      if (startedAt !== undefined) head.startedAt = startedAt;
      continue;
    }
    const user = readCodexUserMessage(value);
    if (user !== undefined) {
      head.prompt = user.text === "" ? "Image" : user.text;
      break;
    }
    if (head.directory === undefined) {
      const directory = findDirectory(text);
      if (directory !== undefined) head.directory = directory;
    }
  }
  return head;
}

/** Old versions name the folder only in what they tell the model. */
function findDirectory(text: string): string | undefined {
  if (!text.includes("<environment_context>")) return undefined;
  return /<cwd>([^<]{1,4096})<\/cwd>/.exec(text)?.[1] ?? /Current working directory: ([^\\"]{1,4096})/.exec(text)?.[1];
}
