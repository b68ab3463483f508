import type { MessageBody, ToolResultPart } from "@skein/contracts";
import { renderTranscript } from "../compression/render-transcript.ts";
import { type ForeignObject, toObjects } from "../repair/foreign-object.ts";
import { formats } from "../repair/formats.ts";
import { findSource } from "../repair/message-format.ts";
import { repair } from "../repair/repair.ts";
import type { RepairChange } from "../repair/repair-change.ts";
import type { RepairProvider } from "../repair/repair-provider.ts";
import { estimateHistoryTokens } from "./estimate-history-tokens.ts";
import { toBodies } from "./message-bodies.ts";

/** What `compact` needs. */
export interface CompactOptions<Message> {
  provider: RepairProvider;
  /** What the messages may take: the model's window without system prompt, tools and answer. */
  maxTokens: number;
  /** The newest turns that no summary covers; a turn begins with a user's message. Default 2. */
  keepTurns?: number;
  /**
   * Writes a summary of the older messages, with a model. `transcript` has them as text, for a prompt: outputs keep their start and end.
   * Without this function, and if it rejects or its summary is not shorter, old tool outputs are left out instead.
   */
  summarize?: (older: { messages: Message[]; transcript: string }) => Promise<string>;
  /** A tokenizer; by default an estimate. */
  countText?: (text: string) => number;
}

/** What `compact` returns. */
export interface Compacted<Message> {
  /** The same array if nothing had to change. */
  messages: Message[];
  tokensBefore: number;
  tokensAfter: number;
  /** Whether the messages take `maxTokens` at most. */
  fits: boolean;
  /** How many messages the summary replaces; 0 without one. */
  summarized: number;
  /** The ids of the calls whose outputs were left out. */
  pruned: string[];
  /** What `summarize` rejected with. */
  summaryError?: unknown;
  changes: RepairChange[];
}

const maxOutputLength = 2_000;
const shortestOutput = 200;

/**
 * Shortens a history to a number of tokens, and repairs it. Older turns are replaced by a summary, at the place of the first of them; what
 * is still too long loses its oldest tool outputs, each replaced by a line that says so. System messages, the newest turn, and all calls
 * stay. Calls and results are never separated. Deterministic apart from `summarize`. The input is not changed.
 *
 * @example
 * const { messages, fits } = await compact(history, { provider: "openai-chat", maxTokens: 100_000 });
 */
export async function compact<Message extends object>(
  history: readonly Message[],
  { provider, maxTokens, keepTurns = 2, summarize, countText }: CompactOptions<Message>,
): Promise<Compacted<Message>> {
  const count = (messages: readonly object[]) =>
    estimateHistoryTokens(messages, { provider, ...(countText === undefined ? {} : { countText }) });
  const { messages, changes } = repair(history, { provider });
  const tokensBefore = count(messages);
  const found: Compacted<Message> = { messages, tokensBefore, tokensAfter: tokensBefore, fits: true, summarized: 0, pruned: [], changes };
  if (tokensBefore <= maxTokens) return found;
  if (summarize !== undefined) Object.assign(found, await shorten(messages, { provider, keepTurns, summarize, count, maxTokens }));
  found.tokensAfter = count(found.messages);
  if (found.tokensAfter > maxTokens) Object.assign(found, prune(found.messages, { provider, count, maxTokens, tokens: found.tokensAfter }));
  return { ...found, fits: found.tokensAfter <= maxTokens };
}

interface Shortening<Message> {
  provider: RepairProvider;
  keepTurns: number;
  summarize: NonNullable<CompactOptions<Message>["summarize"]>;
  count(messages: readonly object[]): number;
  maxTokens: number;
}

async function shorten<Message extends object>(
  messages: readonly Message[],
  { provider, keepTurns, summarize, count, maxTokens }: Shortening<Message>,
): Promise<Partial<Compacted<Message>>> {
  const starts = listTurnStarts(messages, provider);
  const [head = 0] = starts;
  // fewer turns are kept if what would be kept does not leave half of the room
  const kept = starts.slice(-Math.max(1, keepTurns)).find((start) => count(messages.slice(start)) <= maxTokens / 2) ?? starts.at(-1) ?? 0;
  const older = messages.slice(head, kept);
  if (older.length === 0) return {};
  try {
    const transcript = renderTranscript(
      toBodies(older, provider).map((body, id) => ({ id, body })),
      { maxOutputLength },
    );
    const text = await summarize({ messages: older, transcript });
    const summary = toSummary(text, provider) as Message;
    if (text.trim() === "" || count([summary]) >= count(older)) return {};
    const shortened = [...messages.slice(0, head), summary, ...messages.slice(kept)];
    return { messages: repair(shortened, { provider }).messages, summarized: older.length };
  } catch (summaryError) {
    return { summaryError };
  }
}

/** Where users' messages are. Results are none, although some APIs have them in a user's message. */
function listTurnStarts(messages: readonly object[], provider: RepairProvider): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const { bodies, messages: own } of formats[provider].read(messages as readonly ForeignObject[])) {
    if (bodies[0]?.role === "user") starts.push(at);
    at += own.length;
  }
  return starts;
}

function toSummary(summary: string, provider: RepairProvider): ForeignObject {
  const text = `[Previous conversation summary]\n\n${summary}`;
  if (provider === "gemini") return { role: "user", parts: [{ text }] };
  return { ...(provider === "openai-responses" ? { type: "message" } : {}), role: "user", content: text };
}

/** Oldest first, and nothing of the newest turn. */
function prune<Message extends object>(
  messages: readonly Message[],
  {
    provider,
    count,
    maxTokens,
    tokens,
  }: { provider: RepairProvider; count(messages: readonly object[]): number; maxTokens: number; tokens: number },
): Partial<Compacted<Message>> {
  const format = formats[provider];
  const last = listTurnStarts(messages, provider).at(-1) ?? 0;
  const replaced = new Map<ForeignObject, ForeignObject>();
  const pruned: string[] = [];
  let left = tokens;
  for (const part of format.read(messages.slice(0, last) as readonly ForeignObject[]).flatMap(({ bodies }) => listResults(bodies))) {
    const result = findSource(part);
    if (left <= maxTokens || result === undefined) continue;
    const length = JSON.stringify(result).length;
    if (length < shortestOutput) continue;
    const without = format.replaceOutput(result, `[Output of ${part.toolName || "the tool"} left out: ${length} characters.]`);
    const saved = count(format.writeResults([result])) - count(format.writeResults([without]));
    if (saved <= 0) continue;
    replaced.set(result, without);
    pruned.push(part.toolCallId);
    left -= saved;
  }
  const shortened = messages.map((message) => replaceParts(message as ForeignObject, replaced) as Message);
  return pruned.length === 0 ? {} : { messages: shortened, pruned, tokensAfter: count(shortened) };
}

function listResults(bodies: readonly MessageBody[]): ToolResultPart[] {
  return bodies.flatMap((body) => (body.role === "tool" ? body.content : []));
}

/** A result is a message of its own, or a part of one. */
function replaceParts(message: ForeignObject, replaced: ReadonlyMap<ForeignObject, ForeignObject>): ForeignObject {
  const own = replaced.get(message);
  if (own !== undefined) return own;
  const key = Array.isArray(message.content) ? "content" : "parts";
  const parts = toObjects(message[key]);
  return parts.some((part) => replaced.has(part)) ? { ...message, [key]: parts.map((part) => replaced.get(part) ?? part) } : message;
}
