import { NameMap } from "../formats/identifiers/name-map.ts";
import type { ForeignObject } from "../repair/foreign-object.ts";
import { repair } from "../repair/repair.ts";
import type { RepairChange } from "../repair/repair-change.ts";
import type { RepairProvider } from "../repair/repair-provider.ts";
import { dialects } from "./dialects.ts";
import type { ConversionLoss, Dialect, Neutral, ReportLoss, Text } from "./neutral.ts";

/** What `convert` returns. */
export interface Converted {
  /** In the format of `to`, and accepted by its API. */
  messages: Record<string, unknown>[];
  /**
   * The system prompt, where the API wants it outside the messages: Anthropic's `system` or Gemini's `systemInstruction`. Absent if there
   * is none, and for the other APIs, where it is in the messages.
   */
  system?: unknown;
  /** What the other API cannot express; empty if converting back gives the same history. */
  losses: ConversionLoss[];
  /** What was repaired, as in `repair`. */
  changes: RepairChange[];
}

/**
 * Converts a history from one API's messages to another's, and repairs it: the result is accepted by the other API whatever the history
 * looks like. Texts, images, files, tool calls, results, error flags, system messages, and signed reasoning are kept where the other API
 * can express them; everything else is in `losses`. The input is not changed.
 *
 * @param options.system The system prompt of a history whose API has it outside the messages, in the form of that API, or a string.
 *
 * @example
 * const { messages, system, losses } = convert(chatMessages, { from: "openai-chat", to: "anthropic" });
 */
export function convert(
  messages: readonly object[],
  { from, to, system }: { from: RepairProvider; to: RepairProvider; system?: unknown },
): Converted {
  if (from === to) return { ...repairSame(messages, to), ...(system === undefined ? {} : { system }), losses: [] };
  const losses: ConversionLoss[] = [];
  const report =
    (index: number): ReportLoss =>
    (kind, detail) => {
      const loss = { kind, index, detail: String(detail) };
      const isKnown = losses.some((one) => one.index === index && one.kind === kind && one.detail === loss.detail);
      if (!isKnown) losses.push(loss);
    };
  const prompts = readSystem(system, from, report(0));
  const neutral = nameResults(joinResults(dialects[from].read(messages as readonly ForeignObject[], report)));
  const all: Neutral[] = [...prompts.map((part): Neutral => ({ role: "system", index: 0, parts: [part] })), ...neutral];
  const named = renameTools(all, dialects[to], report);
  const outside = dialects[to].system;
  const inside = outside === undefined ? 0 : named.findIndex(({ role }) => role !== "system");
  const cut = inside < 0 ? named.length : inside;
  const texts = named
    .slice(0, cut)
    .flatMap(({ parts }) => parts.filter((part): part is Text => part.type === "text" && part.text.trim() !== ""));
  const written = dialects[to].write(named.slice(cut), report);
  const { messages: repaired, changes } = repair(written, { provider: to });
  return {
    messages: repaired as Record<string, unknown>[],
    ...(outside === undefined || texts.length === 0 ? {} : { system: outside.write(texts, report(0)) }),
    losses,
    changes,
  };
}

/** Results may be in one message or in several: it means the same. */
function joinResults(messages: readonly Neutral[]): Neutral[] {
  const joined: Neutral[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === "tool" && last?.role === "tool") joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    else joined.push(message);
  }
  return joined;
}

/** Not every API names the tool in its results. */
function nameResults(messages: readonly Neutral[]): Neutral[] {
  const names = new Map(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "call" ? [[part.id, part.name] as const] : []))),
  );
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === "result" && part.name === "" ? { ...part, name: names.get(part.id) ?? "" } : part)),
  }));
}

function repairSame(messages: readonly object[], provider: RepairProvider) {
  return repair(messages as readonly Record<string, unknown>[], { provider });
}

function readSystem(system: unknown, from: RepairProvider, report: ReportLoss): Text[] {
  if (system === undefined || system === null) return [];
  const read = dialects[from].system?.read;
  if (read !== undefined) return read(system, report).filter(({ text }) => text !== "");
  return typeof system === "string" && system !== "" ? [{ type: "text", text: system }] : [];
}

/** Names that the API rejects are replaced in calls and in their results; two names never become one. */
function renameTools(messages: readonly Neutral[], { names: rules }: Dialect, report: (index: number) => ReportLoss): Neutral[] {
  if (rules === undefined) return [...messages];
  const names = new NameMap(rules, []);
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if ((part.type !== "call" && part.type !== "result") || part.name === "") return part;
      const name = names.map(part.name);
      if (name !== part.name && part.type === "call") report(message.index)("tool-name", `${part.name} → ${name}`);
      return name === part.name ? part : { ...part, name };
    }),
  }));
}
