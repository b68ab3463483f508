import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type AgentId, type ImportProblem, isSessionId } from "@skein/contracts";
import { objectField } from "@skein/engine";
import { parseLine } from "../lines/parse-line.ts";
import { type SessionFile, toFingerprint } from "../sessions/list-session-files.ts";
import { readWholeFile } from "../sessions/read-session-lines.ts";
import { searchPlaces } from "../sessions/search-places.ts";
import type { FoundSession, FoundSessions, SourceEnvironment } from "../sessions/session-source.ts";
import { toFirstWords } from "../sessions/to-first-words.ts";
import { maxSessionBytes, parseGeminiSession, readGeminiPrompt } from "./gemini-session.ts";

const maxListBytes = 8 * 1024 * 1024;

/** Where Gemini CLI keeps its sessions. */
export function listGeminiPlaces({ HOME = homedir(), GEMINI_CLI_HOME }: SourceEnvironment): string[] {
  return [join(GEMINI_CLI_HOME || HOME, ".gemini", "tmp")];
}

/** A folder per project, and in its `chats` a file per session. */
export async function findGeminiSessions(
  environment: SourceEnvironment,
  options: { pause(): Promise<void> | undefined },
): Promise<FoundSessions> {
  const found = await searchPlaces({
    ...options,
    places: listGeminiPlaces(environment),
    depth: 2,
    matches: (name) => /^session-.*\.jsonl?$/.test(name),
    async open(place, problems) {
      const folders = await readFolders(dirname(place));
      return async (file) => (basename(dirname(file.path)) === "chats" ? describeSession(file, folders, problems) : undefined);
    },
  });
  // resuming a session writes a second file with all of it
  const newest = new Map<string, FoundSession>();
  for (const session of found.sessions) {
    if ((newest.get(session.id)?.updatedAt ?? 0) <= session.updatedAt) newest.set(session.id, session);
  }
  return { ...found, sessions: [...newest.values()] };
}

/** Which folder a project's name, or the hash of its path, stands for. */
async function readFolders(home: string): Promise<Map<string, string>> {
  const text = await readWholeFile(join(home, "projects.json"), { maxBytes: maxListBytes, sink: { problem() {} } });
  const parsed = parseLine(text?.replaceAll("\n", " ") ?? "");
  const projects = parsed.type === "object" ? (objectField(parsed.value, "projects") ?? {}) : {};
  const folders = new Map<string, string>();
  for (const [path, name] of Object.entries(projects)) {
    if (typeof name === "string") folders.set(name, path);
    folders.set(createHash("sha256").update(path).digest("hex"), path);
  }
  return folders;
}

async function describeSession(
  file: SessionFile,
  folders: Map<string, string>,
  problems: ImportProblem[],
): Promise<FoundSession | undefined> {
  const sink = { problem: (problem: ImportProblem) => problems.push(problem) };
  const text = await readWholeFile(file.path, { maxBytes: maxSessionBytes, sink });
  if (text === undefined) return undefined;
  const session = parseGeminiSession(text);
  if (session.id === undefined) {
    if (file.bytes > 0) problems.push({ code: "unknown-format", file: file.path });
    return undefined;
  }
  // a subagent's own conversation is part of the call that started it
  if (session.kind === "subagent") return undefined;
  const prompt = session.messages.map(readGeminiPrompt).find((found) => found !== undefined);
  if (prompt === undefined) return undefined;
  const project = dirname(dirname(file.path));
  const root = await readWholeFile(join(project, ".project_root"), { maxBytes: 64 * 1024, sink: { problem() {} } });
  return {
    id: session.id,
    agent: "gemini" as AgentId,
    agentSessionId: isSessionId(session.id) ? session.id : null,
    title: session.summary ?? toFirstWords(prompt.text === "" ? "Image" : prompt.text),
    directory: root?.trim() || (folders.get(session.projectHash ?? "") ?? folders.get(basename(project)) ?? null),
    startedAt: session.startedAt ?? file.modifiedAt,
    updatedAt: session.updatedAt ?? file.modifiedAt,
    bytes: file.bytes,
    fingerprint: toFingerprint([file]),
    files: [file.path],
  };
}
