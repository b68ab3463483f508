import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type AgentId, type ImportProblem, isSessionId } from "@skein/contracts";
import { asObject, stringField } from "@skein/engine";
import { parseLine } from "../lines/parse-line.ts";
import { type SessionFile, toFingerprint } from "../sessions/list-session-files.ts";
import { parseTime } from "../sessions/parse-time.ts";
import { readHead } from "../sessions/read-head.ts";
import { searchPlaces } from "../sessions/search-places.ts";
import type { FoundSession, FoundSessions, SourceEnvironment } from "../sessions/session-source.ts";
import { toFirstWords } from "../sessions/to-first-words.ts";
import { readClaudeUserLine } from "./claude-prompt.ts";
import { type ChainFile, listChainFiles, listChainsOfProject } from "./side-chains.ts";
import { listToolResults } from "./tool-results.ts";

/** Where Claude Code keeps its sessions. */
export function listClaudePlaces({ CLAUDE_CONFIG_DIR, HOME = homedir() }: SourceEnvironment): string[] {
  const folders = CLAUDE_CONFIG_DIR === undefined || CLAUDE_CONFIG_DIR === "" ? [join(HOME, ".claude")] : CLAUDE_CONFIG_DIR.split(",");
  return folders.map((folder) => join(folder.trim(), "projects"));
}

/** A folder per project, and in it a file per session. */
export async function findClaudeSessions(
  environment: SourceEnvironment,
  options: { pause(): Promise<void> | undefined },
): Promise<FoundSessions> {
  return searchPlaces({
    ...options,
    places: listClaudePlaces(environment),
    depth: 1,
    matches: (name) => name.endsWith(".jsonl") && !name.startsWith("agent-"),
    open(_place, problems) {
      const chains = new Map<string, Map<string, ChainFile[]>>();
      return async (file) => {
        const folder = dirname(file.path);
        const loose = chains.get(folder) ?? (await listLooseChains(folder));
        chains.set(folder, loose);
        return describeSession(file, loose, problems);
      };
    },
  });
}

async function listLooseChains(folder: string): Promise<Map<string, ChainFile[]>> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => name.startsWith("agent-")) ? listChainsOfProject(folder) : new Map();
}

async function describeSession(
  file: SessionFile,
  looseChains: Map<string, ChainFile[]>,
  problems: ImportProblem[],
): Promise<FoundSession | undefined> {
  const id = basename(file.path, ".jsonl");
  const head = await readHead(file.path, toHead, ({ prompt }) => prompt !== undefined);
  // created by a command such as /clear, or by a start that was given up
  if (head.prompt === undefined) {
    if (head.isUnknown && head.isWhole) problems.push({ code: "unknown-format", file: file.path, sessionId: id.slice(0, 300) });
    return undefined;
  }
  const chains = [...(await listChainFiles(file.path, id)), ...(looseChains.get(id) ?? [])];
  const all = [file, ...chains];
  return {
    id,
    agent: "claude-code" as AgentId,
    agentSessionId: isSessionId(id) ? id : null,
    title: head.title ?? toFirstWords(head.prompt),
    directory: head.directory ?? null,
    startedAt: head.startedAt ?? file.modifiedAt,
    updatedAt: file.modifiedAt,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    fingerprint: toFingerprint(all),
    files: all.map(({ path }) => path),
  };
}

interface Head {
  prompt?: string;
  title?: string;
  directory?: string;
  startedAt?: number;
  /** No line is one that Claude Code writes. */
  isUnknown: boolean;
}

function toHead(lines: readonly string[]): Head {
  const head: Head = { isUnknown: lines.some((line) => line !== "") };
  for (const text of lines) {
    const parsed = parseLine(text);
    if (parsed.type !== "object") continue;
    const line = parsed.value;
    if (typeof line.type === "string") head.isUnknown = false;
    head.directory ??= stringField(line, "cwd") as string;
    head.startedAt ??= parseTime(line.timestamp) as number;
    const title = stringField(line, "type") === "summary" ? stringField(line, "summary") : stringField(line, "customTitle", "aiTitle");
    if (title) head.title ??= title;
    if (line.type !== "user" || line.isSidechain === true || listToolResults(asObject(line.message) ?? {}).length > 0) continue;
    const user = readClaudeUserLine(line);
    if (user.type === "prompt") head.prompt ??= user.text === "" ? "Image" : user.text;
    if (head.prompt !== undefined && head.directory !== undefined) break;
  }
  return head;
}
