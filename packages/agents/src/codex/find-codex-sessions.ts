import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentId, type ImportProblem, isSessionId } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";
import { parseLine } from "../lines/parse-line.ts";
import { type SessionFile, toFingerprint } from "../sessions/list-session-files.ts";
import { parseTime } from "../sessions/parse-time.ts";
import { readHead } from "../sessions/read-head.ts";
import { searchPlaces } from "../sessions/search-places.ts";
import type { FoundSession, FoundSessions, SourceEnvironment } from "../sessions/session-source.ts";
import { toFirstWords } from "../sessions/to-first-words.ts";
import { readCodexUserMessage } from "./codex-user-message.ts";

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
  return searchPlaces({
    ...options,
    places: listCodexPlaces(environment),
    depth: 4,
    matches: (name) => /^rollout-.*\.jsonl$/.test(name),
    open: (_place, problems) => (file) => describeSession(file, problems),
  });
}

async function describeSession(file: SessionFile, problems: ImportProblem[]): Promise<FoundSession | undefined> {
  const head = await readHead(file.path, toHead, ({ prompt }) => prompt !== undefined);
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

/** Old versions name the folder only in the instructions for the model. */
function findDirectory(text: string): string | undefined {
  if (!text.includes("<environment_context>")) return undefined;
  return /<cwd>([^<]{1,4096})<\/cwd>/.exec(text)?.[1] ?? /Current working directory: ([^\\"]{1,4096})/.exec(text)?.[1];
}
