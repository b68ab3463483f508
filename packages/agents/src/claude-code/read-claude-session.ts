import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { ExecutionId, JsonValue, Usage } from "@skein/contracts";
import { addUsage, asObject, numberField, stringField } from "@skein/engine";
import { LineScope } from "../lines/json-line-decoder.ts";
import { type JsonObject, parseLine } from "../lines/parse-line.ts";
import { BrokenLines } from "../sessions/broken-lines.ts";
import { parseTime } from "../sessions/parse-time.ts";
import { readSessionFile } from "../sessions/read-session-file.ts";
import { readSessionLines } from "../sessions/read-session-lines.ts";
import type { FoundSession, ReadFrom, SessionSink } from "../sessions/session-source.ts";
import { type ClaudeUserLine, readClaudeUserLine } from "./claude-prompt.ts";
import { type ClaudeCodeReader, createClaudeCodeReader } from "./create-claude-code-decoder.ts";
import { toRequestUsage } from "./result-line.ts";
import { type ChainFile, listChainFiles, readAgentId, SideChains } from "./side-chains.ts";
import { listToolResults } from "./tool-results.ts";

/** What the next read needs to begin with a turn. */
interface Mark {
  /** The turn's own line. */
  uuid: string;
  /** The session's cost before it. */
  costUsd: number | undefined;
}

interface OpenTurn {
  executionId: ExecutionId;
  reader: ClaudeCodeReader;
  scope: LineScope;
  /** Tokens of the requests that have ended, and of the one that is open: each of its lines repeats them. */
  usage: Usage;
  request: { id: string | undefined; usage: Usage };
}

/**
 * Reads a session file: its lines have the same messages as the output of Claude Code, under slightly different names, so the same reader
 * turns them into outputs. A line by the user begins a turn.
 */
export async function readClaudeSession(
  session: FoundSession,
  { sink, from }: { sink: SessionSink; from?: ReadFrom | undefined },
): Promise<void> {
  const [file = "", ...chainFiles] = session.files;
  const chains = await describeChains(file, session.id, chainFiles);
  const begin = () => new ClaudeSessionReading(sink, chains);
  const start = from === undefined ? undefined : parseMark(from.mark);
  const resume = from &&
    start && {
      position: from.position,
      isTurn: (text: string) => text.includes(`"uuid":"${start.uuid}"`),
      begin() {
        const reading = begin();
        reading.resume(start);
        return reading;
      },
    };
  return readSessionFile(file, { sink, resume, begin });
}

/** Those of the session's own folder say which call they belong to. */
async function describeChains(file: string, sessionId: string, paths: readonly string[]): Promise<ChainFile[]> {
  const known = new Map((await listChainFiles(file, sessionId)).map((chain) => [chain.path, chain]));
  return paths.map((path) => {
    const agentId = basename(path, ".jsonl").slice("agent-".length);
    return known.get(path) ?? { path, agentId, toolUseId: undefined, bytes: 0, modifiedAt: 0 };
  });
}

function parseMark(text: string): Mark | undefined {
  const parsed = parseLine(text);
  const uuid = parsed.type === "object" ? stringField(parsed.value, "uuid") : undefined;
  if (parsed.type !== "object" || uuid === undefined) return undefined;
  return { uuid, costUsd: numberField(parsed.value, "costUsd") };
}

class ClaudeSessionReading {
  readonly #sink: SessionSink;
  readonly #chains = new SideChains();
  /** Not read yet. */
  readonly #files: Set<ChainFile>;
  #turn: OpenTurn | undefined;
  #at = 0;
  /** Of the session so far; undefined for versions that do not record it. */
  #costUsd: number | undefined;
  #costBefore: number | undefined;

  constructor(sink: SessionSink, files: readonly ChainFile[]) {
    this.#sink = sink;
    this.#files = new Set(files);
  }

  resume({ costUsd }: Mark): void {
    this.#costUsd = costUsd;
  }

  readLine(line: { text: string; offset: number; number: number }, broken: BrokenLines): void | Promise<void> {
    this.#sink.countLine();
    // logs of requests, which may be as large as all other lines together
    if (line.text.startsWith('{"type":"api-request') || line.text.startsWith('{"type":"file-history-snapshot"')) return;
    const parsed = parseLine(line.text);
    if (parsed.type === "unreadable") broken.add(line.number);
    if (parsed.type !== "object") return;
    const { value } = parsed;
    this.#at = parseTime(value.timestamp) ?? this.#at;
    switch (value.type) {
      case "assistant":
        return this.#readAssistant(value, line.offset);
      case "user":
        return this.#readUser(value, line.offset);
      case "system":
        return this.#readSystem(value, line.offset);
      case "summary":
      case "custom-title":
      case "ai-title": {
        const title = stringField(value, "customTitle", "aiTitle", "summary");
        if (title) this.#sink.title(title);
        return;
      }
      case "cost-state":
        this.#costUsd = numberField(value, "totalCostUSD") ?? this.#costUsd;
        this.#reportUsage();
        return;
      default:
        return;
    }
  }

  #readAssistant(line: JsonObject, offset: number): void {
    this.#chains.see(line);
    if (line.isSidechain === true) {
      const owner = this.#chains.findOwner(line);
      if (owner === undefined) return;
      this.#decode({ ...line, parent_tool_use_id: owner }, offset);
    } else this.#decode(line, offset);
    this.#countTokens(line);
    if (line.isApiErrorMessage === true) {
      const content = asObject(line.message)?.content;
      const said = (Array.isArray(content) ? content : []).map((block) => stringField(block, "text") ?? "").join("\n");
      this.#sink.endTurn({ status: "failed", reason: said }, this.#at);
    } else if (line.isSidechain !== true) this.#sink.endTurn({ status: "success" }, this.#at);
  }

  async #readUser(line: JsonObject, offset: number): Promise<void> {
    const results = listToolResults(asObject(line.message) ?? {});
    if (results.length > 0) {
      for (const result of results) await this.#readChainOf(stringField(result, "tool_use_id"), line.toolUseResult, results.length === 1);
      const owner = line.isSidechain === true ? this.#chains.findOwner(line) : undefined;
      const { toolUseResult, ...rest } = line;
      const named = toolUseResult === undefined ? {} : { tool_use_result: toolUseResult };
      this.#decode({ ...rest, ...named, ...(owner === undefined ? {} : { parent_tool_use_id: owner }) }, offset);
      return;
    }
    if (line.isSidechain === true) {
      this.#chains.findOwner(line);
      return;
    }
    this.#readOwnLine(readClaudeUserLine(line), line, offset);
  }

  #readOwnLine(user: ClaudeUserLine, line: JsonObject, offset: number): void {
    switch (user.type) {
      case "prompt": {
        this.#endRequest();
        const uuid = stringField(line, "uuid") ?? `at-${offset}`;
        this.#costBefore = this.#costUsd;
        const mark: Mark = { uuid, costUsd: this.#costUsd };
        const { text, images } = user;
        const executionId = this.#sink.beginTurn({ key: uuid, position: offset, mark: JSON.stringify(mark), at: this.#at, text, images });
        const scope = new LineScope(executionId);
        const reader = createClaudeCodeReader({ executionId });
        this.#turn = { executionId, scope, reader, usage: {}, request: { id: undefined, usage: {} } };
        return;
      }
      case "printed": {
        this.#sink.endTurn({ status: "success" }, this.#at);
        if (this.#turn === undefined || user.text === "" || user.text === "Compacted") return;
        this.#turn.scope.enter({ offset, at: this.#at });
        const messageId = this.#turn.scope.ids.next();
        this.#sink.output({ type: "notice", messageId, text: user.text, code: "command-output", at: this.#at });
        return;
      }
      case "interrupted":
        this.#sink.endTurn({ status: "cancelled" }, this.#at);
        return;
      case "ignored":
    }
  }

  #readSystem(line: JsonObject, offset: number): void {
    // others repeat what hooks and commands printed, or measure something
    if (line.subtype !== "compact_boundary") return;
    const { trigger, preTokens, postTokens } = asObject(line.compactMetadata) ?? {};
    const metadata: JsonObject = {};
    if (trigger !== undefined) metadata.trigger = trigger;
    if (preTokens !== undefined) metadata.pre_tokens = preTokens;
    if (postTokens !== undefined) metadata.post_tokens = postTokens;
    this.#decode({ type: "system", subtype: "compact_boundary", compact_metadata: metadata }, offset);
  }

  /** The subagent's own lines come before its result, as they do in the output. */
  async #readChainOf(toolUseId: string | undefined, structured: JsonValue | undefined, isOnly: boolean): Promise<void> {
    if (toolUseId === undefined || this.#turn === undefined || this.#files.size === 0) return;
    const agentId = isOnly ? readAgentId(structured) : undefined;
    const chain = [...this.#files].find((file) => file.toolUseId === toolUseId || (agentId !== undefined && file.agentId === agentId));
    if (chain === undefined) return;
    this.#files.delete(chain);
    const base = toOffsetBase(chain.agentId);
    const broken = new BrokenLines(chain.path);
    const before = this.#at;
    await readSessionLines(chain.path, {
      sink: this.#sink,
      onLine: async ({ text, offset, number }) => {
        this.#sink.countLine();
        if (text.startsWith('{"type":"api-request')) return;
        const parsed = parseLine(text);
        if (parsed.type === "unreadable") broken.add(number);
        if (parsed.type !== "object") return;
        const { toolUseResult, ...line } = parsed.value;
        this.#at = parseTime(line.timestamp) ?? this.#at;
        const results = line.type === "user" ? listToolResults(asObject(line.message) ?? {}) : [];
        if (line.type !== "assistant" && results.length === 0) return;
        for (const result of results) await this.#readChainOf(stringField(result, "tool_use_id"), toolUseResult, results.length === 1);
        const named = toolUseResult === undefined ? {} : { tool_use_result: toolUseResult };
        this.#decode({ ...line, ...named, parent_tool_use_id: toolUseId }, base + offset);
        if (line.type === "assistant") this.#countTokens(line);
      },
    });
    this.#at = Math.max(before, this.#at);
    broken.report(this.#sink);
  }

  #decode(line: JsonObject, offset: number): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    const outputs = turn.scope.enter({ offset, at: this.#at });
    turn.reader.read(line, turn.scope);
    for (const output of outputs) this.#sink.output(output);
  }

  #countTokens(line: JsonObject): void {
    const turn = this.#turn;
    const message = asObject(line.message);
    if (turn === undefined || message?.model === "<synthetic>") return;
    const id = stringField(message, "id");
    if (turn.request.id !== id) this.#endRequest();
    turn.request = { id, usage: toRequestUsage(message?.usage) };
    const model = stringField(message, "model");
    if (model !== undefined) this.#sink.endTurn({ model: `anthropic/${model}` }, this.#at);
    this.#reportUsage();
  }

  #endRequest(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    turn.usage = addUsage(turn.usage, turn.request.usage);
    turn.request = { id: undefined, usage: {} };
  }

  #reportUsage(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    const usage = addUsage(turn.usage, turn.request.usage);
    const costUsd = this.#costUsd === undefined ? undefined : Math.max(0, this.#costUsd - (this.#costBefore ?? 0));
    this.#sink.endTurn({ usage: costUsd === undefined ? usage : { ...usage, costUsd } }, this.#at);
  }
}

/** Ids of outputs contain the offset of their line: those of a second file must not be the same. */
function toOffsetBase(agentId: string): number {
  return (createHash("sha256").update(agentId).digest().readUInt16BE(0) + 1) * 2 ** 36;
}
