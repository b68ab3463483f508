import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonValue } from "@skein/contracts";
import { asObject, RecentMap, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { parseLine } from "../lines/parse-line.ts";
import type { SessionFile } from "../sessions/list-session-files.ts";
import { readStart } from "../sessions/read-head.ts";
import { readWholeFile } from "../sessions/read-session-lines.ts";

const maxRemembered = 10_000;
const maxMetaBytes = 1024 * 1024;
const headBytes = 64 * 1024;

/**
 * The subagents of a session. Claude Code 1.0 writes them into the session's file, without saying which call they belong to: their
 * first message is the prompt of the call. Later versions have a file for each.
 */
export class SideChains {
  /** Calls of subagents whose chain has not been found, by their prompt. */
  readonly #prompts = new RecentMap<string, string>(maxRemembered);
  /** Lines of chains in the session's own file: the tool use that they belong to. */
  readonly #owners = new RecentMap<string, string>(maxRemembered);

  /** An assistant line of the session. */
  see(line: JsonObject): void {
    const content = asObject(line.message)?.content;
    for (const block of Array.isArray(content) ? content : []) {
      if (stringField(block, "type") !== "tool_use") continue;
      const prompt = stringField(asObject(block)?.input, "prompt");
      const id = stringField(block, "id");
      if (prompt !== undefined && id !== undefined) this.#prompts.set(prompt, id);
    }
  }

  /** The tool use that a line of a chain belongs to; undefined if it is unknown. */
  findOwner(line: JsonObject): string | undefined {
    const parent = stringField(line, "parentUuid");
    const owner = (parent === undefined ? undefined : this.#owners.get(parent)) ?? this.#findByPrompt(line);
    const uuid = stringField(line, "uuid");
    if (owner !== undefined && uuid !== undefined) this.#owners.set(uuid, owner);
    return owner;
  }

  #findByPrompt(line: JsonObject): string | undefined {
    const content = asObject(line.message)?.content;
    const text = typeof content === "string" ? content : stringField(Array.isArray(content) ? content[0] : undefined, "text");
    return text === undefined ? undefined : this.#prompts.get(text);
  }
}

/** A subagent with its own file. */
export interface ChainFile extends SessionFile {
  agentId: string;
  /** Known from 2.1 on. */
  toolUseId: string | undefined;
}

/** The files of the subagents of a session: in a folder of the session, or next to it. */
export async function listChainFiles(file: string, sessionId: string): Promise<ChainFile[]> {
  const folder = join(dirname(file), sessionId, "subagents");
  const own = await listAgentFiles(folder);
  const chains: ChainFile[] = [];
  for (const chain of own) chains.push({ ...chain, toolUseId: await readToolUseId(chain.path) });
  return chains;
}

/** Chains of 2.0, next to the sessions of a project: by the session that their first line names. */
export async function listChainsOfProject(folder: string): Promise<Map<string, ChainFile[]>> {
  const bySession = new Map<string, ChainFile[]>();
  for (const chain of await listAgentFiles(folder)) {
    const start = await readStart(chain.path, headBytes).catch(() => undefined);
    const parsed = parseLine(start?.text.split("\n", 1)[0] ?? "");
    const sessionId = parsed.type === "object" ? stringField(parsed.value, "sessionId") : undefined;
    if (sessionId !== undefined) bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), { ...chain, toolUseId: undefined }]);
  }
  return bySession;
}

async function listAgentFiles(folder: string): Promise<(SessionFile & { agentId: string })[]> {
  const names = await readdir(folder).catch(() => []);
  const files: (SessionFile & { agentId: string })[] = [];
  for (const name of names.toSorted()) {
    const agentId = /^agent-(.+)\.jsonl$/.exec(name)?.[1];
    if (agentId === undefined) continue;
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isFile()) files.push({ agentId, path, bytes: stats.size, modifiedAt: Math.round(stats.mtimeMs) });
  }
  return files;
}

async function readToolUseId(chain: string): Promise<string | undefined> {
  const file = chain.replace(/\.jsonl$/, ".meta.json");
  const text = await readWholeFile(file, { maxBytes: maxMetaBytes, sink: { problem() {} } });
  const parsed = parseLine(text ?? "");
  return parsed.type === "object" ? stringField(parsed.value, "toolUseId") : undefined;
}

/** The agent that a result reports about. */
export function readAgentId(structured: JsonValue | undefined): string | undefined {
  return stringField(structured, "agentId");
}
